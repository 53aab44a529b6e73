import { isObject, type SpecValue } from './parse-spec.ts'

const mostValues = 2_000
const mostDepth = 30
const longestText = 20_000

/** A copy that can be written out: in a specification, one object may stand in many places, itself included. */
export function boundedValue(value: SpecValue | undefined): SpecValue {
  let left = mostValues
  const copy = (one: SpecValue | undefined, depth: number): SpecValue => {
    left--
    if (typeof one === 'string') return one.length > longestText ? `${one.slice(0, longestText)}…` : one
    if (typeof one === 'number') return Number.isFinite(one) ? one : null
    if (typeof one === 'boolean' || one === null || one === undefined) return one ?? null
    if (depth >= mostDepth || left <= 0) return Array.isArray(one) ? [] : {}
    if (Array.isArray(one)) {
      const items: SpecValue[] = []
      for (const item of one) {
        if (left <= 0) break
        items.push(copy(item, depth + 1))
      }
      return items
    }
    // Dates and the like, which YAML may make.
    if (!isObject(one)) return String(one)
    const object: { [name: string]: SpecValue } = {}
    for (const name of Object.keys(one)) {
      if (left <= 0) break
      Object.defineProperty(object, name, {
        value: copy(one[name], depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return object
  }
  return copy(value, 0)
}
