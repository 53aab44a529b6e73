/** Work in turns: one at a time, and whatever else waits for the event loop in between. */
export interface Turns {
  take(work: () => void): void
}

export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  function takeNext(): void {
    const work = waiting.shift()!
    if (waiting.length > 0) setImmediate(takeNext)
    work()
  }
  return {
    take(work) {
      waiting.push(work)
      if (waiting.length === 1) setImmediate(takeNext)
    },
  }
}
