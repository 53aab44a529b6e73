import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until there is an answer. Gives up a little before a test would, to say what it waited for. */
export async function until<T>(
  ask: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  { withinMs = 55_000, everyMs = 20, waitingFor = String(ask) } = {},
): Promise<T> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(everyMs)) {
    const answer = await ask()
    if (answer) return answer
  }
  throw new Error(`Nothing came of it within ${withinMs / 1000} s: ${waitingFor}`)
}
