import type { SpecValue } from './parse-spec.ts'

// Text of a specification is written into programs that readers copy and run: it must stay text in all of them.

export const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** JavaScript, Go and Java agree with JSON on everything that it writes. */
export const quoted = (text: string): string => JSON.stringify(text)

/** Text of several lines between backquotes, where it can be. */
export const goText = (text: string): string =>
  text.includes('\n') && !/[`\r\0]/.test(text) ? `\`${text}\`` : quoted(text)

/** As above; only a backslash makes something else of a sign. */
export const pythonText = (text: string): string => JSON.stringify(text)

export const phpText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** In single quotes nothing is put in for `#{…}`. */
export const rubyText = phpText

interface Notation {
  text(value: string): string
  name(name: string): string
  indent: string
  constants: { true: string; false: string; null: string }
  object: { open: string; close: string; pair: string }
}

const python: Notation = {
  text: pythonText,
  name: pythonText,
  indent: '    ',
  constants: { true: 'True', false: 'False', null: 'None' },
  object: { open: '{', close: '}', pair: ': ' },
}
const php: Notation = {
  text: phpText,
  name: phpText,
  indent: '    ',
  constants: { true: 'true', false: 'false', null: 'null' },
  object: { open: '[', close: ']', pair: ' => ' },
}
const javaScript: Notation = {
  text: quoted,
  // Written plainly, that name would be no field.
  name: (name) => (name === '__proto__' ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  indent: '  ',
  constants: { true: 'true', false: 'false', null: 'null' },
  object: { open: '{', close: '}', pair: ': ' },
}

export const pythonValue = (value: SpecValue): string => write(value, python, '')

/** `margin` stands before every line but the first. */
export const phpValue = (value: SpecValue, margin: string): string => write(value, php, margin)

/** Names stand without quotes where they can. */
export const javaScriptValue = (value: SpecValue, margin: string): string => write(value, javaScript, margin)

function write(value: SpecValue, notation: Notation, margin: string): string {
  const { constants, object } = notation
  if (typeof value === 'string') return notation.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return constants[`${value}`]
  if (value === null) return constants.null
  const inner = `${margin}${notation.indent}`
  const lines = Array.isArray(value)
    ? value.map((item) => write(item, notation, inner))
    : Object.entries(value).map(([name, item]) => `${notation.name(name)}${object.pair}${write(item, notation, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : [object.open, object.close]
  return lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${margin}${close}`
}
