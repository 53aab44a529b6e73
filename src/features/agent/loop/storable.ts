/**
 * The same value as PostgreSQL can hold it in JSON: no NUL, no half of a character. A model can write both. What is sent
 * later is what was stored, also when no restart lies between.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([name, inner]) => [storable(name), storable(inner)])) as T
}
