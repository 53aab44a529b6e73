/** Remembers what was looked up last, within bounds. */
export interface GenerationCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/**
 * Two generations: when the young one is full it becomes the old one, and what of that is asked for again comes back. So
 * the least used half is forgotten at a time, and a hit costs one lookup and no list to keep in order. Keys are bounded
 * too, as they may be made of what strangers send.
 */
export function createGenerationCache<Value>({
  mostEntries,
  mostCharacters,
}: {
  mostEntries: number
  mostCharacters: number
}): GenerationCache<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  let characters = 0

  function set(key: string, value: Value): void {
    characters += key.length
    if (young.size >= mostEntries / 2 || characters > mostCharacters / 2) {
      old = young
      young = new Map()
      characters = key.length
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
  }
}
