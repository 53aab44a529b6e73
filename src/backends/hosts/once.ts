/** Asks once and remembers the answer, but not a failure: the next caller asks again. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask().catch((thrown) => {
      asked = null
      throw thrown
    })
    return asked
  }
}
