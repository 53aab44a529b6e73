import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Hit } from './hit.ts'

export interface HitQueue {
  /** Takes the hit, or drops it when too many wait. Never throws. */
  offer(projectId: string, hit: Hit): void
  /** Resolves when everything taken so far is kept or lost. */
  drain(): Promise<void>
}

interface HitQueueDeps {
  record(projectId: string, hits: readonly Hit[]): Promise<unknown>
  clock: Clock
  log: Log
}

// A store that is slow for a moment loses nothing; one that stays so must not fill the memory. A hit is a few kB.
const mostWaiting = 20_000
const mostAtOnce = 5_000
// Hits of a moment share one append, which takes the store a while however many they are. Not longer: a kill loses what
// waits here.
const gatherMs = 250
const complainEveryMs = 60_000

/** Keeps hits for those who cannot wait for it: whoever serves a page. */
export function createHitQueue({ record, clock, log }: HitQueueDeps): HitQueue {
  const waiting = new Map<string, Hit[]>()
  let count = 0
  let lost = 0
  let complainedAt = 0
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    for (const [projectId, hits] of waiting) {
      waiting.delete(projectId)
      for (let from = 0; from < hits.length; from += mostAtOnce) {
        const some = hits.slice(from, from + mostAtOnce)
        await record(projectId, some).catch((err) => lose(some.length, err))
        count -= some.length
      }
    }
    working = null
    if (waiting.size > 0) start()
  }

  function start(): void {
    working ??= work()
  }

  function lose(number: number, err?: unknown): void {
    lost += number
    const now = clock.now().getTime()
    // One line for all: when this happens it happens to thousands.
    if (now - complainedAt < complainEveryMs) return
    log.warn({ lost, err }, 'analytics.views_lost')
    complainedAt = now
    lost = 0
  }

  return {
    offer(projectId, hit) {
      if (count >= mostWaiting) return lose(1)
      count++
      const hits = waiting.get(projectId)
      if (hits) hits.push(hit)
      else waiting.set(projectId, [hit])
      start()
    },
    async drain() {
      while (working) await working
    },
  }
}
