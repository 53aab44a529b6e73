/**
 * The part of structured fields (RFC 9651) that signature headers use, read strictly: dictionaries of strings, byte
 * sequences and lists of strings, with parameters. What does not fit is an error, never a guess.
 */
export type Bare = string | number | boolean | Uint8Array | Token

/** A word without quotes. */
export interface Token {
  token: string
}

export interface Item {
  value: Bare
  parameters: Map<string, Bare>
}

export interface Member {
  /** One item, or the items of a list in parentheses. */
  value: Bare | Item[]
  parameters: Map<string, Bare>
}

// Headers of signatures are a few hundred characters.
const mostCharacters = 4_096
const mostParts = 64

/** Throws a plain error for whatever is not a dictionary. */
export function parseDictionary(text: string): Map<string, Member> {
  const reader = createReader(text)
  const members = new Map<string, Member>()
  reader.skipSpaces()
  while (!reader.isAtEnd()) {
    const name = reader.readKey()
    const value = reader.take('=') ? readValue(reader) : true
    members.set(name, { value, parameters: readParameters(reader) })
    if (members.size > mostParts) throw new Error('too many members')
    reader.skipSpaces()
    if (reader.isAtEnd()) break
    reader.expect(',')
    reader.skipSpaces()
    if (reader.isAtEnd()) throw new Error('a comma at the end')
  }
  return members
}

/** A single string, such as `"https://chatgpt.com"`; null for anything else. */
export function parseString(text: string): string | null {
  const reader = createReader(text)
  try {
    reader.skipSpaces()
    const value = readBare(reader)
    readParameters(reader)
    reader.skipSpaces()
    return reader.isAtEnd() && typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

export function serialize(value: Bare): string {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '?1' : '?0'
  return value instanceof Uint8Array ? `:${Buffer.from(value).toString('base64')}:` : value.token
}

export function serializeParameters(parameters: Map<string, Bare>): string {
  return [...parameters].map(([name, value]) => (value === true ? `;${name}` : `;${name}=${serialize(value)}`)).join('')
}

type Reader = ReturnType<typeof createReader>

function createReader(text: string) {
  if (text.length > mostCharacters) throw new Error('the header is too long')
  let at = 0
  return {
    isAtEnd: () => at >= text.length,
    peek: () => text[at],
    skipSpaces(): void {
      while (text[at] === ' ' || text[at] === '\t') at++
    },
    take(character: string): boolean {
      if (text[at] !== character) return false
      at++
      return true
    },
    expect(character: string): void {
      if (text[at] !== character) throw new Error(`expected ${character}`)
      at++
    },
    /** The longest text here that the expression matches; it must be sticky. */
    match(expression: RegExp): string | null {
      expression.lastIndex = at
      const found = expression.exec(text)?.[0]
      if (found === undefined) return null
      at += found.length
      return found
    },
    readKey(): string {
      const key = this.match(/[a-z*][a-z0-9_.*-]{0,63}/y)
      if (key === null) throw new Error('expected a name')
      return key
    },
  }
}

function readValue(reader: Reader): Bare | Item[] {
  if (!reader.take('(')) return readBare(reader)
  const items: Item[] = []
  for (;;) {
    reader.skipSpaces()
    if (reader.take(')')) return items
    items.push({ value: readBare(reader), parameters: readParameters(reader) })
    if (items.length > mostParts) throw new Error('too many items')
    if (reader.peek() !== ' ' && reader.peek() !== ')') throw new Error('expected a space')
  }
}

function readParameters(reader: Reader): Map<string, Bare> {
  const parameters = new Map<string, Bare>()
  while (reader.take(';')) {
    reader.skipSpaces()
    const name = reader.readKey()
    parameters.set(name, reader.take('=') ? readBare(reader) : true)
    if (parameters.size > mostParts) throw new Error('too many parameters')
  }
  return parameters
}

function readBare(reader: Reader): Bare {
  const quoted = reader.match(/"(?:[ !#-[\]-~]|\\["\\])*"/y)
  if (quoted !== null) return quoted.slice(1, -1).replace(/\\(["\\])/g, '$1')
  const bytes = reader.match(/:[A-Za-z0-9+/=]*:/y)
  if (bytes !== null) return Buffer.from(bytes.slice(1, -1), 'base64')
  const digits = reader.match(/-?\d{1,15}(?![\d.])/y)
  if (digits !== null) return Number(digits)
  const truth = reader.match(/\?[01]/y)
  if (truth !== null) return truth === '?1'
  const token = reader.match(/[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y)
  if (token !== null) return { token }
  throw new Error('expected a value')
}
