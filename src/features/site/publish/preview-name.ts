import type { SecretBox } from '#infra/data/secret-box.ts'

/** What stands for a branch or commit in the address of its preview: no branch has a `~`, so it can stand for slashes. */
export function previewName(branchOrCommit: string): string {
  return branchOrCommit.replaceAll('/', '~')
}

export function branchOfPreview(name: string): string {
  return name.replaceAll('~', '/')
}

/** A name as it came in an address, taken apart. */
export interface SharedName {
  name: string
  /** Null: without one. */
  signature: { expires: number; mac: string } | null
}

/** `guides~intro@1790000000-<43 characters>`. A branch may have an `@` too, so the last one counts. */
export function parseSharedName(text: string): SharedName {
  const [, name, expires, mac] = /^(.+)@([1-9]\d{0,11})-([\w-]{43})$/s.exec(text) ?? []
  if (name === undefined) return { name: text, signature: null }
  return { name, signature: { expires: Number(expires), mac: mac! } }
}

interface Shared {
  projectId: string
  name: string
  /** Seconds since 1970. */
  expires: number
}

/** The name with a signature, for readers without a key. */
export function signName(secretBox: SecretBox, shared: Shared): string {
  return `${shared.name}@${shared.expires}-${secretBox.sign(signed(shared), context)}`
}

/** Whether we signed this name for this project, and the time is not over. */
export function isSigned(
  secretBox: SecretBox,
  { projectId, shared, now }: { projectId: string; shared: SharedName; now: Date },
): boolean {
  const { name, signature } = shared
  if (!signature || signature.expires * 1000 <= now.getTime()) return false
  return secretBox.verify(signed({ projectId, name, expires: signature.expires }), context, signature.mac)
}

const context = 'site.preview'

function signed({ projectId, name, expires }: Shared): string {
  return JSON.stringify([projectId, name, expires])
}
