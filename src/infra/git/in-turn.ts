import { DocentError } from '#base/errors.ts'

const turns = new Map<string, Promise<unknown>>()

/** One at a time for each mirror. Whoever gives up does not wait for those before. */
export async function inTurn<Result>(
  { mirrorDir, signal }: { mirrorDir: string; signal: AbortSignal | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(mirrorDir) ?? Promise.resolve()
  const given = Promise.withResolvers<never>()
  const giveUp = () => given.reject(new DocentError('unavailable', 'git.stopped', 'git fetch was stopped.'))
  const start = () => (signal?.aborted ? given.promise : work())
  const mine = before.then(start, start)
  turns.set(mirrorDir, mine)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  try {
    return await Promise.race([mine, given.promise])
  } finally {
    signal?.removeEventListener('abort', giveUp)
    const forget = () => {
      if (turns.get(mirrorDir) === mine) turns.delete(mirrorDir)
    }
    mine.then(forget, forget)
  }
}
