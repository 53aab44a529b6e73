import { isObject, parseSpec, type SpecObject, type SpecValue } from './parse-spec.ts'

/** A specification that was read, and what it takes to look into it. Nothing in it is of the kind that it should be until looked at. */
export interface SpecDocument {
  kind: 'swagger' | 'openapi' | 'asyncapi'
  root: SpecObject
  /** What a value means: itself, or what its `$ref` leads to in the end; null where that leads nowhere, or out of the file. */
  resolve(value: SpecValue | undefined): SpecObject | null
  /** What the `$ref` of an object leads to, which may be another reference. */
  step(reference: SpecObject): SpecValue | undefined
  /** The first thousands of fields of an object, listed once: one of a million may be asked for again and again. */
  entries(object: SpecObject): readonly [string, SpecValue][]
}

// References to references; a circle of them has no end.
const mostSteps = 20
const mostEntries = 20_000

/** Null when the text is no specification. */
export function readSpecDocument(text: string): SpecDocument | null {
  const root = parseSpec(text)
  const kind = root && kindOf(root)
  if (!root || !kind) return null
  const step = (reference: SpecObject): SpecValue | undefined => {
    const ref = fieldOf(reference, '$ref')
    return typeof ref === 'string' ? findPointer(root, ref) : undefined
  }
  const listed = new WeakMap<SpecObject, [string, SpecValue][]>()
  return {
    kind,
    root,
    step,
    entries(object) {
      const entries = listed.get(object) ?? Object.entries(object).slice(0, mostEntries)
      listed.set(object, entries)
      return entries
    },
    resolve(value) {
      let at = value
      for (let steps = 0; steps < mostSteps; steps++) {
        if (!isObject(at)) return null
        if (typeof fieldOf(at, '$ref') !== 'string') return at
        at = step(at)
      }
      return null
    },
  }
}

function kindOf(root: SpecObject): SpecDocument['kind'] | null {
  for (const kind of ['openapi', 'swagger', 'asyncapi'] as const) {
    const version = fieldOf(root, kind)
    if (typeof version === 'string' || typeof version === 'number') return kind
  }
  return null
}

/** A field of its own: what every object inherits is none. */
export function fieldOf(object: SpecObject, name: string): SpecValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

export function textOf(object: SpecObject, name: string): string | null {
  const value = fieldOf(object, name)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

export function objectOf(object: SpecObject, name: string): SpecObject {
  const value = fieldOf(object, name)
  return isObject(value) ? value : {}
}

export function listOf(object: SpecObject, name: string): SpecValue[] {
  const value = fieldOf(object, name)
  return Array.isArray(value) ? value : []
}

/** `#/components/schemas/Pet`; undefined for other files, which are never read. */
function findPointer(root: SpecObject, ref: string): SpecValue | undefined {
  if (!ref.startsWith('#/') || ref.length > 2_000) return ref === '#' ? root : undefined
  let at: SpecValue | undefined = root
  for (const part of ref.slice(2).split('/')) {
    const name = decodePart(part)
    if (Array.isArray(at)) at = /^\d{1,9}$/.test(name) ? at[Number(name)] : undefined
    else if (isObject(at)) at = fieldOf(at, name)
    else return undefined
  }
  return at
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
