import { DocentError } from '#base/errors.ts'
import { shorten } from './markdown-text.ts'
import { PromptReader } from './prompt-reader.ts'

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
  const reader = new PromptReader(prompt)
  const instructions: Instruction[] = []
  for (;;) {
    reader.skipSeparators()
    if (reader.isAtEnd()) break
    const start = reader.position
    const instruction = parseOne(reader)
    if (!instruction || !reader.isAtSeparator()) throw notUnderstood(reader.partFrom(start))
    instructions.push({ said: shorten(prompt.slice(start, reader.position), 160), ...instruction })
  }
  if (instructions.length === 0) throw notUnderstood(prompt.trim())
  return instructions
}

type Asked = Instruction extends infer One ? (One extends Instruction ? Omit<One, 'said'> : never) : never

function parseOne(reader: PromptReader): Asked | null {
  const start = reader.position
  for (const parse of [parseReplace, parseMove, parseFix, parseAdd, parseSet]) {
    const asked = parse(reader)
    if (asked) return asked
    reader.position = start
  }
  return null
}

function parseReplace(reader: PromptReader): Asked | null {
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
function parseWithin(reader: PromptReader): string | null {
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
function parsePath(reader: PromptReader): string | null {
  reader.words('the')
  reader.word(...pageNouns)
  return reader.quoted() ?? reader.bare()
}

function parseMove(reader: PromptReader): Asked | null {
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

function parseFix(reader: PromptReader): Asked | null {
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

function parseAdd(reader: PromptReader): Asked | null {
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

function parseSet(reader: PromptReader): Asked | null {
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
function parseLiteral(reader: PromptReader): boolean | number | null {
  const literal = reader.bare()
  if (literal === null) return null
  if (/^(true|false)$/i.test(literal)) return literal.toLowerCase() === 'true'
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(literal) ? Number(literal) : null
}

function notUnderstood(part: string): DocentError {
  const list = understood.map((form) => `\`${form}\``).join(', ')
  const message =
    `The built-in editor does not understand “${shorten(part, 160)}”; nothing was changed. It understands ${list}, one or ` +
    'more a prompt, with texts in quotes. For other work configure a model: set DOCENT_MODEL to one such as ' +
    '`anthropic/…`, `openai/…` or `google/…` with its key, or to `openai-compatible/<name>` with DOCENT_MODEL_BASE_URL ' +
    'and DOCENT_MODEL_API_KEY; or set the model of the project.'
  return new DocentError('unsupported', 'editor.not_understood', message)
}
