import { randomBytes } from 'node:crypto'
import { DocentError } from '#base/errors.ts'
import { isId } from '#base/ids.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { projectNotFound } from '#features/projects/service.ts'
import { isSignedByGithub, isSignedByGitlab, secretPrefix } from './hook-signature.ts'
import { pushed } from './jobs.ts'
import type { BranchMove } from './push-events.ts'
import { GithubPush, GitlabPush } from './schema.ts'
import type { RepositoriesDeps } from './service.ts'
import * as store from './store.ts'

export type Vendor = 'github' | 'gitlab'

export interface HookCall {
  projectId: string
  vendor: Vendor
  headers: Record<string, string | string[] | undefined>
  /** The bytes as they came: the signature is over these. */
  body: Buffer
}

/** Makes a new secret for the push events that a project's host sends. An earlier one stops at once. */
export async function rotatePushHook(
  { db, secretBox, config }: Pick<RepositoriesDeps, 'db' | 'secretBox' | 'config'>,
  { projectId, by }: { projectId: string; by: Caller },
): Promise<{ urls: Record<Vendor, string>; secret: string }> {
  const secret = secretPrefix + randomBytes(32).toString('base64')
  const { organizationId } = by
  const isDone = isId('prj', projectId)
    ? await db.transaction().execute(async (tx) => {
        const sealedPushSecret = secretBox.seal(secret, secretContext(projectId))
        if (!(await store.setPushSecret(tx, { projectId, organizationId, sealedPushSecret }))) return false
        await recordAudit(tx, { by, action: 'project.push_hook', target: projectId, details: {} })
        return true
      })
    : false
  if (!isDone) throw projectNotFound()
  const url = (vendor: Vendor) => `${config.baseUrl}/v1/hooks/${projectId}/${vendor}`
  return { urls: { github: url('github'), gitlab: url('gitlab') }, secret }
}

// As good as any: nobody knows it, and a project without a secret takes as long to refuse as one with another.
const noSecret = secretPrefix + randomBytes(32).toString('base64')

/**
 * Takes what a host says about a repository. Throws `unauthenticated` unless it is signed with the project's secret, and
 * in the same words when there is no such project. Returns whether it was about a push to the project's repository.
 */
export async function takeHookCall(
  deps: Pick<RepositoriesDeps, 'db' | 'clock' | 'queue' | 'secretBox' | 'log'>,
  { projectId, vendor, headers, body }: HookCall,
): Promise<{ isTaken: boolean }> {
  const found = isId('prj', projectId) ? await store.findPushSecret(deps.db, projectId) : undefined
  const sealed = found?.sealedPushSecret
  const secret = sealed ? deps.secretBox.open(sealed, secretContext(projectId)) : noSecret
  const isSigned =
    vendor === 'github'
      ? isSignedByGithub({ headers, body, secret })
      : isSignedByGitlab({ headers, body, secret, now: deps.clock.now() })
  if (!isSigned) {
    const message = 'The signature does not fit: check the secret of the webhook, or make a new one.'
    throw new DocentError('unauthenticated', 'hooks.bad_signature', message)
  }
  const push = parsers[vendor](headers, body)
  if (!push) return { isTaken: false }
  if (!push.addresses.some((address) => isSameRepository(address, found?.repository ?? null))) {
    deps.log.info({ projectId, vendor }, 'repositories.hook_of_another_repository')
    return { isTaken: false }
  }
  await deps.queue.send(pushed, { projectId, ...push.move })
  return { isTaken: true }
}

interface HookPush {
  addresses: string[]
  move: BranchMove
}

/** What was pushed; null for everything that is no push of a branch. */
const parsers: Record<Vendor, (headers: HookCall['headers'], body: Buffer) => HookPush | null> = {
  github(headers, body) {
    if (headers['x-github-event'] !== 'push') return null
    const payload = GithubPush.safeParse(jsonOf(headers, body))
    if (!payload.success) throw unreadable()
    const { ref, before, after, repository } = payload.data
    return pushOf({ ref, before, after, addresses: [repository.html_url, repository.clone_url] })
  },
  gitlab(headers, body) {
    if (headers['x-gitlab-event'] !== 'Push Hook') return null
    const payload = GitlabPush.safeParse(jsonOf(headers, body))
    if (!payload.success) throw unreadable()
    const { ref, before, after, project } = payload.data
    return pushOf({ ref, before, after, addresses: [project.web_url, project.git_http_url] })
  },
}

function pushOf({
  ref,
  before,
  after,
  addresses,
}: {
  ref: string
  before: string | undefined
  after: string | undefined
  addresses: (string | undefined)[]
}): HookPush | null {
  // Tags are pushed too.
  const branch = /^refs\/heads\/([^\0]{1,500})$/.exec(ref)?.[1]
  if (branch === undefined || !branch.isWellFormed()) return null
  const move = { branch, before: commitOf(before), commit: commitOf(after) }
  return { addresses: addresses.filter((address) => address !== undefined), move }
}

/** Zeros stand for no commit: a branch that is new, or was deleted. */
function commitOf(id: string | undefined): string | null {
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) && !/^0+$/.test(id) ? id : null
}

/** GitHub can be told to send a form with the JSON in it. */
function jsonOf(headers: HookCall['headers'], body: Buffer): unknown {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  const text = body.toString('utf8')
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** Hosts spell one address in several ways. */
function isSameRepository(address: string, repository: string | null): boolean {
  if (repository === null || !URL.canParse(address)) return false
  const plain = (url: string) => {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
      .toLowerCase()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
  }
  return plain(address) === plain(repository)
}

function secretContext(projectId: string): string {
  return `projects.push_secret ${projectId}`
}

function unreadable(cause?: unknown): DocentError {
  const message = 'Expected a push event as the host documents it, found something else.'
  return new DocentError('invalid', 'hooks.unreadable', message, { cause })
}
