/** From here on the model is told that it repeats itself. */
export const toldAt = 3
/** Here it is stopped. */
export const stoppedAt = 5

/**
 * Counts calls that are the same as earlier ones. Looking again after files changed is no repetition; making the same
 * change again is one whatever happened between, as a model can also go in circles.
 */
export interface RepetitionGuard {
  /** How often this call was made by now, this time included. */
  count(key: string, changed: boolean): number
}

export function createRepetitionGuard(): RepetitionGuard {
  const changes = new Map<string, number>()
  let looks = new Map<string, number>()
  return {
    count(key, changed) {
      if (changed) looks = new Map()
      const counts = changed ? changes : looks
      const times = (counts.get(key) ?? 0) + 1
      counts.set(key, times)
      return times
    },
  }
}

/** The same for the same call, whatever the order of its fields. */
export function callKey(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input, (_key, value: unknown) => sorted(value))}`
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
