/**
 * Those who count go before those who write: counting has a person waiting for it, and while bodies are read, classified
 * and committed as fast as they come, it would get a small part of the processor.
 */
export interface RightOfWay {
  /** Runs the work, for which others give way until it is over or has had its time. */
  take<T>(work: () => Promise<T>): Promise<T>
  /** Waits for what has the right of way now, and not for what gets it meanwhile: so nobody waits for ever. */
  give(): Promise<void>
}

// A report takes less, unless the machine is too small for its views; an export takes minutes, and writing goes on.
const longestMs = 200

export function createRightOfWay(): RightOfWay {
  const underWay = new Set<Promise<void>>()
  return {
    async take(work) {
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, longestMs)
      underWay.add(over)
      void over.then(() => underWay.delete(over))
      try {
        return await work()
      } finally {
        clearTimeout(timer)
        end()
      }
    },
    async give() {
      await Promise.all(underWay)
    },
  }
}
