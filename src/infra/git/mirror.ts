import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { initBareRepository } from './repository.ts'
import { attemptGit } from './run-git.ts'
import { tidyRepository } from './tidy.ts'

export async function ensureMirror(mirrorDir: string): Promise<void> {
  const parts = ['HEAD', 'config', 'refs', 'objects/info', 'objects/pack'].map((name) => access(join(mirrorDir, name)))
  const isThere = await Promise.all(parts).then(
    () => true,
    () => false,
  )
  if (!isThere) await initBareRepository(mirrorDir, 'main')
}

/** A mirror can be deleted at any time: what it had is fetched again. */
export async function deleteMirror(mirrorDir: string): Promise<void> {
  await rm(mirrorDir, { recursive: true, force: true, maxRetries: 5 })
}

/** Nothing in it is not also on the other side, or made again by the job that made it. */
export async function renewMirror(mirrorDir: string): Promise<void> {
  await deleteMirror(mirrorDir)
  await ensureMirror(mirrorDir)
}

/** Branches of old jobs go. Whoever works on one has its commits for two more days, and can fetch it again. */
export async function tidyMirror(
  mirrorDir: string,
  { wanted, signal }: { wanted: string[]; signal: AbortSignal | undefined },
): Promise<void> {
  const listed = await attemptGit({ gitDir: mirrorDir, args: ['for-each-ref', '--format=%(refname)'], signal })
  const refs = listed.stdout.toString('utf8').split('\n').filter(Boolean)
  const others = refs.filter((ref) => !wanted.includes(ref.slice('refs/heads/'.length)))
  const input = others.map((ref) => `delete ${ref}\n`).join('')
  await attemptGit({ gitDir: mirrorDir, args: ['update-ref', '--stdin'], input, signal })
  await tidyRepository(mirrorDir, { dropAfter: '2.days.ago', signal })
}
