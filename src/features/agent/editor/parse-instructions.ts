import { DocentError } from '#base/errors.ts'

/** One thing that the editor can do, with the words it was asked in. */
export type Instruction = { said: string } & (
  | { kind: 'replace'; search: string; replacement: string; within: string | null }
  | { kind: 'move'; from: string; to: string }
  | { kind: 'fix_links'; within: string | null }
  | { kind: 'add'; path: string; title: string; text: string | null }
  | { kind: 'set'; key: string; value: string | number | boolean; path: string }
)

const understood = [
  'replace "A" with "B" [in PATH]',
  'rename page A to B',
  'fix broken links [in PATH]',
  'add page PATH titled "T" [with "text"]',
  'set KEY to "V" in PATH',
]

/**
 * What a prompt asks for, in its order. All of it or nothing: throws `unsupported` on the first part that is none of
 * the instructions above, before anything was done.
 */
export function parseInstructions(prompt: string): Instruction[] {
  const reader = new Reader(prompt)
  const instructions: Instruction[] = []
  for (;;) {
    reader.skipSeparators()
    if (reader.isAtEnd()) break
    const start = reader.position
    const instruction = parseOne(reader)
    if (!instruction || !reader.isAtSeparator()) throw notUnderstood(reader.partFrom(start))
    instructions.push({ said: oneLine(prompt.slice(start, reader.position)), ...instruction })
  }
  if (instructions.length === 0) throw notUnderstood(prompt.trim())
  return instructions
}

type Asked = Instruction extends infer One ? (One extends Instruction ? Omit<One, 'said'> : never) : never

function parseOne(reader: Reader): Asked | null {
  const start = reader.position
  for (const parse of [parseReplace, parseMove, parseFix, parseAdd, parseSet]) {
    const asked = parse(reader)
    if (asked) return asked
    reader.position = start
  }
  return null
}

function parseReplace(reader: Reader): Asked | null {
  if (!reader.word('replace')) return null
  reader.words('all', 'each', 'every', 'the')
  if (reader.word('occurrence', 'occurrences', 'instance', 'instances') && !reader.word('of')) return null
  reader.words('the')
  reader.word('text', 'word', 'words', 'phrase', 'string')
  const search = reader.quoted()
  if (search === null || !reader.word('with', 'by')) return null
  const replacement = reader.quoted()
  if (replacement === null) return null
  return { kind: 'replace', search, replacement, within: parseWithin(reader) }
}

/** `in PATH`; null for none, and for words that mean all of the docs. */
function parseWithin(reader: Reader): string | null {
  if (reader.word('everywhere', 'throughout')) return null
  const start = reader.position
  if (!reader.word('in', 'on', 'under', 'within')) return null
  if (reader.word('all', 'every', 'each')) {
    reader.words('the', 'of')
    if (reader.word('docs', 'documentation', 'page', 'pages', 'file', 'files')) return null
  } else {
    reader.words('the')
    if (reader.isWord('docs', 'documentation') && reader.isLastWord()) {
      reader.words('docs', 'documentation')
      return null
    }
    const path = parsePath(reader)
    if (path !== null) return path
  }
  reader.position = start
  return null
}

const pageNouns = ['page', 'file', 'folder', 'directory']

/** A path, in quotes or bare, with or without `page` and the like before it. */
function parsePath(reader: Reader): string | null {
  reader.words('the')
  reader.word(...pageNouns)
  return reader.quoted() ?? reader.bare()
}

function parseMove(reader: Reader): Asked | null {
  if (!reader.word('rename', 'move')) return null
  reader.words('the')
  const noun = reader.word(...pageNouns)
  const from = reader.quoted() ?? reader.bare()
  if (from === null || !reader.word('to', 'into', 'as')) return null
  const to = parsePath(reader)
  if (to === null) return null
  // "Rename Widgets to Gadgets" is about a word in the text; without `page`, only what looks like a path is one.
  if (noun === null && !(looksLikePath(from) && looksLikePath(to))) return null
  const isFolder = (noun === 'folder' || noun === 'directory') && !from.endsWith('/')
  return { kind: 'move', from: isFolder ? `${from}/` : from, to }
}

function looksLikePath(text: string): boolean {
  return text.includes('/') || /\.mdx?$/i.test(text)
}

function parseFix(reader: Reader): Asked | null {
  if (!reader.word('fix', 'repair')) return null
  reader.words('all', 'every', 'each', 'any', 'the', 'of')
  reader.word('internal')
  if (!reader.word('broken', 'dead')) return null
  reader.word('internal')
  if (!reader.word('link', 'links')) return null
  const afterLinks = reader.position
  if (!reader.word('and') || !reader.word('anchor', 'anchors')) reader.position = afterLinks
  return { kind: 'fix_links', within: parseWithin(reader) }
}

function parseAdd(reader: Reader): Asked | null {
  if (!reader.word('add', 'create')) return null
  reader.words('a', 'the', 'new')
  if (!reader.word('page')) return null
  reader.words('at')
  const path = reader.quoted() ?? reader.bare()
  if (path === null) return null
  if (reader.word('with')) {
    reader.words('the')
    if (!reader.word('title')) return null
  } else if (!reader.word('titled', 'entitled', 'called', 'named')) return null
  const title = reader.quoted()
  if (title === null) return null
  const afterTitle = reader.position
  if (!reader.word('with', 'containing', 'saying')) {
    const isLonger = reader.word('and') && reader.word('with', 'containing', 'saying')
    if (!isLonger) reader.position = afterTitle
  }
  if (reader.position === afterTitle) return { kind: 'add', path, title, text: null }
  reader.words('the')
  reader.word('text', 'content', 'contents', 'body')
  const text = reader.quoted()
  return text === null ? null : { kind: 'add', path, title, text }
}

function parseSet(reader: Reader): Asked | null {
  if (!reader.word('set')) return null
  reader.words('the')
  reader.word('frontmatter')
  const key = reader.quoted() ?? reader.bare()
  if (key === null || !reader.word('to')) return null
  const value = reader.quoted() ?? parseLiteral(reader)
  if (value === null || !reader.word('in', 'on', 'of', 'for')) return null
  const path = parsePath(reader)
  return path === null ? null : { kind: 'set', key, value, path }
}

/** `true`, `false` or a number without quotes: text without quotes could end anywhere. */
function parseLiteral(reader: Reader): boolean | number | null {
  const literal = reader.bare()
  if (literal === null) return null
  if (/^(true|false)$/i.test(literal)) return literal.toLowerCase() === 'true'
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(literal) ? Number(literal) : null
}

/** Each opening quote with what may close it: keyboards and phones mix straight and curly ones. */
const closingQuotes: Record<string, string> = {
  '"': '"“”',
  '“': '”“"',
  '”': '”“"',
  '„': '“”"',
  "'": "'’‘",
  '‘': "’‘'",
  '’': "’‘'",
  '`': '`',
  '«': '»',
}
const apostrophes = "'’‘"

/** Goes through a prompt word by word; quoted texts are one piece whatever is in them. */
class Reader {
  position = 0
  readonly #prompt: string

  constructor(prompt: string) {
    this.#prompt = prompt
  }

  isAtEnd(): boolean {
    return this.position >= this.#prompt.length
  }

  /** Takes the next word if it is one of these, in any case. Prompts wrap: it may stand on the next line. */
  word(...expected: string[]): string | null {
    const [whole, word] = this.#match(/[ \t]*(?:\r?\n[ \t]*)?([a-z]+)(?![\w/.-]*[\w/-])/iy) ?? []
    if (whole === undefined || !expected.includes(word!.toLowerCase())) return null
    this.position += whole.length
    return word!.toLowerCase()
  }

  /** Takes words as long as they are among these. */
  words(...expected: string[]): void {
    while (this.word(...expected));
  }

  isWord(...expected: string[]): boolean {
    const start = this.position
    const found = this.word(...expected) !== null
    this.position = start
    return found
  }

  isLastWord(): boolean {
    const start = this.position
    this.position += this.#match(/[ \t]*[a-z]+/iy)?.[0].length ?? 0
    const found = this.isAtSeparator()
    this.position = start
    return found
  }

  /** The text of a quoted piece; a quote or a backslash in it stands after a backslash. */
  quoted(): string | null {
    const start = this.position + this.#match(/[ \t]*(?:\r?\n[ \t]*)?/y)![0].length
    const end = this.#endOfQuoted(start)
    if (end === null) return null
    this.position = end
    return this.#prompt.slice(start + 1, end - 1).replace(/\\(["'`“”„‘’«»\\])/g, '$1')
  }

  /** A path or a key without quotes. */
  bare(): string | null {
    const [whole, found] = this.#match(/[ \t]*(?:\r?\n[ \t]*)?([^\s;,"'`“”„‘’«»]+)/y) ?? []
    const text = found?.replace(/[.!?:]+$/, '')
    if (!text) return null
    this.position += whole!.length - (found!.length - text.length)
    return text
  }

  isAtSeparator(): boolean {
    return this.isAtEnd() || this.#match(separator) !== null
  }

  /** Everything that may stand between two instructions or before the first. */
  skipSeparators(): void {
    for (let match = this.#match(leadIn); match && match[0] !== ''; match = this.#match(leadIn)) {
      this.position += match[0].length
    }
  }

  /** The part that begins here and could not be read, up to where the next one begins. */
  partFrom(start: number): string {
    this.position = start
    while (!this.isAtEnd()) {
      const end = this.#endOfQuoted(this.position)
      if (end !== null) this.position = end
      else if (this.position > start && this.#match(/;|\r?\n|[.!?](?=\s|$)|(?<!\s)\s+(?:and\s+)?then\b/iy)) break
      else this.position++
    }
    return this.#prompt.slice(start, this.position)
  }

  #endOfQuoted(start: number): number | null {
    const closing = closingQuotes[this.#prompt[start] ?? '']
    if (closing === undefined) return null
    for (let at = start + 1; at < this.#prompt.length; at++) {
      const letter = this.#prompt[at]!
      if (letter === '\\') {
        at++
        continue
      }
      if (!closing.includes(letter)) continue
      // The apostrophe in 'don't' closes nothing.
      if (apostrophes.includes(letter) && /[\p{L}\p{N}]/u.test(this.#prompt[at + 1] ?? '')) continue
      return at + 1
    }
    return null
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    return pattern.exec(this.#prompt)
  }
}

const separator = /[ \t]*(?:[;,.!?]|\r?\n|$)|[ \t]+(?:and|then|&|please)\b/iy
const leadIn =
  /[\s;,.!?]+|(?:[-*+•–]|\(?\d{1,3}[.)])(?:[ \t]+\[[ xX]?\])?[ \t]+|(?:and|then|also|please|first|second|third|next|finally|lastly|now)\b[,:]?|&(?=\s)/iy

function notUnderstood(part: string): DocentError {
  const list = understood.map((form) => `\`${form}\``).join(', ')
  const message =
    `The built-in editor does not understand “${oneLine(part)}”; nothing was changed. It understands ${list}, one or ` +
    'more a prompt, with texts in quotes. For other work configure a model: set DOCENT_MODEL to one such as ' +
    '`anthropic/…`, `openai/…` or `google/…` with its key, or to `openai-compatible/<name>` with DOCENT_MODEL_BASE_URL ' +
    'and DOCENT_MODEL_API_KEY; or set the model of the project.'
  return new DocentError('unsupported', 'editor.not_understood', message)
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 160 ? `${[...line].slice(0, 160).join('')}…` : line
}
