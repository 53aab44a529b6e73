import { setTimeout as sleep } from 'node:timers/promises'
import { DocentError } from '#base/errors.ts'
import { removeStaleLocks } from './leftovers.ts'
import type { GitOutcome } from './run-git.ts'

const waitsMs = [50, 100, 250, 500, 1000, 2000, 4000, 4000]

/**
 * Runs git until no other git has the refs locked that it wants: another process of ours for a moment, or one that was
 * killed, whose locks are removed when they are old enough. Throws `unavailable` when it stays so.
 */
export async function withRefLocks(gitDir: string, run: () => Promise<GitOutcome>): Promise<GitOutcome> {
  for (const waitMs of waitsMs) {
    const outcome = await run()
    if (outcome.code === 0 || !isLocked(outcome.stderr)) return outcome
    await sleep(waitMs)
    await removeStaleLocks(gitDir)
  }
  const outcome = await run()
  if (outcome.code === 0 || !isLocked(outcome.stderr)) return outcome
  throw new DocentError(
    'unavailable',
    'git.locked',
    'Another git keeps the repository locked. Try again in a moment.',
    {
      retryAfterSeconds: 10,
    },
  )
}

function isLocked(stderr: string): boolean {
  return /\.lock': File exists|could not lock config file|unable to lock|Unable to create '.*\.lock'/i.test(stderr)
}
