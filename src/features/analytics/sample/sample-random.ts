import { hash } from 'node:crypto'

/** Numbers that look random and follow from the seed. */
export interface SampleRandom {
  /** From 0 to below 1. */
  number(): number
  /** A whole number from 0 to below this. */
  below(most: number): number
  pick<Item>(items: readonly Item[]): Item
  weighted<Item>(items: readonly Item[], weightOf: (item: Item, place: number) => number): Item
}

export function createSampleRandom(seed: string): SampleRandom {
  let state = hash('sha256', seed, 'buffer').readUInt32BE(0)
  // Mulberry32: a few lines, and even enough for made-up readers.
  const number = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(number() * most)
  return {
    number,
    below,
    pick: (items) => items[below(items.length)]!,
    weighted(items, weightOf) {
      const weights = items.map(weightOf)
      let left = number() * weights.reduce((sum, weight) => sum + weight, 0)
      const place = weights.findIndex((weight) => {
        left -= weight
        return left < 0
      })
      return items.at(place)!
    },
  }
}
