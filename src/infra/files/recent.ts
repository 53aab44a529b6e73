/** Keeps what was used last, up to so much of it. */
export interface Recent<Value> {
  find(key: string): Value | null
  keep(key: string, value: Value): void
}

export function createRecent<Value>({ most, weigh }: { most: number; weigh(value: Value): number }): Recent<Value> {
  // In the order in which they were used.
  const kept = new Map<string, Value>()
  let weight = 0
  return {
    find(key) {
      const value = kept.get(key)
      if (value === undefined) return null
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    keep(key, value) {
      if (kept.has(key) || weigh(value) > most) return
      kept.set(key, value)
      weight += weigh(value)
      for (const [oldest, old] of kept) {
        if (weight <= most) break
        kept.delete(oldest)
        weight -= weigh(old)
      }
    },
  }
}
