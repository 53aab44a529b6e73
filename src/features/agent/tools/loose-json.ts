import { type ParseError, parse } from 'jsonc-parser'

/**
 * An object as models write it that are not sure of JSON: twice encoded, in a code fence, with line breaks inside of
 * strings, commas too many, single quotes, or Python's names. Null when it is not clear what was meant, as with one that
 * was cut off.
 */
export function parseLooseObject(written: unknown): Record<string, unknown> | null {
  let value = written
  // Encoded twice is a habit; more often than that is a mistake that nobody makes.
  for (let times = 0; times < 2 && typeof value === 'string'; times++) value = parseLoose(value)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

export function parseLoose(text: string): unknown {
  const plain = text
    .trim()
    .replace(/^```\w*\s*\n?([\s\S]*?)\n?```$/, '$1')
    .trim()
  if (!/^["{[]/.test(plain)) return null
  try {
    return JSON.parse(plain)
  } catch {
    return parseCareless(plain)
  }
}

function parseCareless(text: string): unknown {
  const errors: ParseError[] = []
  try {
    const value: unknown = parse(asJson(text), errors, { allowTrailingComma: true })
    return errors.length === 0 ? value : null
  } catch {
    // Brackets nested without end.
    return null
  }
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const names: Record<string, string> = { True: 'true', False: 'false', None: 'null' }

/** The same with strings as JSON has them. */
function asJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\b(?:True|False|None)\b/g, (piece) => {
    const quote = piece[0]!
    if (quote !== '"' && quote !== "'") return names[piece]!
    const inner = piece.slice(1, -1).replace(/[\n\r\t]/g, (character) => escapes[character]!)
    return quote === '"' ? `"${inner}"` : `"${inner.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`
  })
}
