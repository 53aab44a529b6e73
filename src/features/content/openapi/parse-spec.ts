import { parseDocument } from 'yaml'

export type SpecValue = string | number | boolean | null | SpecValue[] | SpecObject
export type SpecObject = { [name: string]: SpecValue }

// YAML takes fifty times as long as JSON; the largest that people write by hand has some megabytes.
const mostYamlCharacters = 3_000_000
// Aliases of aliases of aliases double with every line.
const mostAliases = 10_000
const mostBrackets = 500

/** A specification as data, JSON or YAML; null when it is neither. Aliases make one object stand in many places, itself included. */
export function parseSpec(text: string): SpecObject | null {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const value = parseJson(source) ?? (mayBeYaml(source) ? parseYaml(source) : null)
  return isObject(value) ? value : null
}

function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The YAML parser takes the square of the time for brackets inside each other, and dashes in one line. */
function mayBeYaml(text: string): boolean {
  if (text.length > mostYamlCharacters || /(?:[-?][ \t]+){100}/.test(text)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === 0x5b || sign === 0x7b) depth++
    else if (sign === 0x5d || sign === 0x7d) depth = Math.max(0, depth - 1)
    // Words may hold some that are never closed.
    if (depth > mostBrackets) return false
  }
  return true
}

function parseYaml(text: string): unknown {
  try {
    const document = parseDocument(text, {
      merge: true,
      prettyErrors: false,
      logLevel: 'silent',
      // Looked for pair by pair, which a map of many keys has no time for.
      uniqueKeys: false,
    })
    return document.toJS({ maxAliasCount: mostAliases })
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is SpecObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
