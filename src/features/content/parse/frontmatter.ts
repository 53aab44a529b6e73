import { LineCounter, parseDocument } from 'yaml'
import type { PageProblem } from '../check/problem.ts'
import { createLineIndex } from './source-position.ts'

export interface Frontmatter {
  data: Record<string, unknown>
  /** Span of the YAML between the two fences, without them. */
  start: number
  end: number
}

/** What stands between the `---` fences at the top of a page; null when there are none. */
export function parseFrontmatter(source: string): { frontmatter: Frontmatter | null; problems: PageProblem[] } {
  const span = findFrontmatter(source)
  if (span === null) return { frontmatter: null, problems: [] }
  if ('unclosed' in span) {
    const message = 'The frontmatter begins with --- but no second --- line ends it.'
    return { frontmatter: null, problems: [problem(source, { offset: span.unclosed, message, subject: 'unclosed' })] }
  }
  const text = source.slice(span.start, span.end)
  const simple = parseSimpleYaml(text)
  if (simple !== null) return { frontmatter: { data: simple, ...span }, problems: checkFields(source, simple, span) }

  const document = parseDocument(text, { lineCounter: new LineCounter(), prettyErrors: false })
  const [error] = document.errors
  if (error) {
    const message = `The frontmatter is no YAML: ${plainReason(error.message)}`
    const hint = /compact mapping|Nested mappings/i.test(error.message)
      ? 'A value with a colon in it needs quotes around it.'
      : null
    const offset = span.start + Math.min(error.pos[0], text.length)
    return {
      frontmatter: { data: {}, ...span },
      problems: [problem(source, { offset, message, hint, subject: error.code })],
    }
  }
  let data: unknown
  try {
    data = document.toJS({ maxAliasCount: 100 })
  } catch {
    const message = 'The frontmatter uses YAML aliases more than it may.'
    return {
      frontmatter: { data: {}, ...span },
      problems: [problem(source, { offset: span.start, message, subject: 'aliases' })],
    }
  }
  if (data === null || data === undefined) return { frontmatter: { data: {}, ...span }, problems: [] }
  if (typeof data !== 'object' || Array.isArray(data)) {
    const message = `The frontmatter is ${Array.isArray(data) ? 'a list' : 'plain text'}, where fields such as "title: …" are expected.`
    return {
      frontmatter: { data: {}, ...span },
      problems: [problem(source, { offset: span.start, message, subject: 'not fields' })],
    }
  }
  const fields = data as Record<string, unknown>
  return { frontmatter: { data: fields, ...span }, problems: checkFields(source, fields, span) }
}

const textFields = ['title', 'sidebarTitle', 'description']

/** A number or a word such as `yes` is shown as it is written, and nothing at all is as good as no field. */
function checkFields(source: string, data: Record<string, unknown>, span: { start: number; end: number }) {
  return textFields
    .filter((name) => typeof data[name] === 'object' && data[name] !== null)
    .map((name) => {
      const at = source.slice(span.start, span.end).search(new RegExp(`^["']?${name}\\b`, 'm'))
      const message = `"${name}" in the frontmatter is ${Array.isArray(data[name]) ? 'a list' : 'an object'}; it must be text.`
      const hint = 'Put quotes around the text.'
      return problem(source, { offset: span.start + Math.max(at, 0), message, hint, subject: name })
    })
}

/** The fences, as Mintlify and GitHub see them: the first line of the file, and the next line that is `---`. */
export function findFrontmatter(source: string): { start: number; end: number } | { unclosed: number } | null {
  const bom = source.charCodeAt(0) === 0xfeff ? 1 : 0
  const opening = /^---[ \t]*\r?\n/.exec(source.slice(bom, bom + 200))
  if (!opening) return null
  const start = bom + opening[0].length
  for (let line = start; line <= source.length; ) {
    const next = source.indexOf('\n', line)
    const end = next === -1 ? source.length : next
    if (source.startsWith('---', line) && source.slice(line + 3, end).trim() === '') return { start, end: line }
    if (next === -1) break
    line = next + 1
  }
  // A page may well begin with a line across it; only fields below it say that frontmatter was meant.
  return /^[A-Za-z][\w-]*:/.test(source.slice(start, start + 100)) ? { unclosed: bom } : null
}

const simpleLine = /^([A-Za-z][\w-]*):[ \t]+(?:"([^"\\]*)"|'([^']*)'|([A-Za-z][\w .,/()-]*[\w.)]))[ \t]*\r?$/
const simpleList =
  /^([A-Za-z][\w-]*):[ \t]+\[[ \t]*((?:"[^"\\]*"|'[^']*')(?:[ \t]*,[ \t]*(?:"[^"\\]*"|'[^']*'))*)[ \t]*\][ \t]*\r?$/
const simpleFlag = /^([A-Za-z][\w-]*):[ \t]+(true|false|0|[1-9]\d{0,8})[ \t]*\r?$/
// Words that YAML reads as something else than text.
const notText = /^(?:true|false|null|yes|no|on|off|nan|inf)$/i

/**
 * Most frontmatter is a few lines of plain text, flags, numbers and lists of quoted words, which this reads a hundred times faster
 * than a YAML parser; null for anything more.
 */
function parseSimpleYaml(text: string): Record<string, unknown> | null {
  const data: Record<string, unknown> = Object.create(null)
  for (const line of text.split('\n')) {
    if (line === '' || line === '\r') continue
    const flag = simpleFlag.exec(line)
    const list = flag ? null : simpleList.exec(line)
    const known = flag ?? list
    if (known) {
      if (known[1]! in data) return null
      data[known[1]!] = flag ? JSON.parse(flag[2]!) : quotedWords(list![2]!)
      continue
    }
    const match = simpleLine.exec(line)
    if (!match) return null
    const [, name, double, single, plain] = match
    if (name! in data || (plain !== undefined && (notText.test(plain) || / #|: /.test(plain)))) return null
    data[name!] = double ?? single ?? plain!
  }
  return { ...data }
}

function quotedWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => (double ?? single)!)
}

function plainReason(message: string): string {
  const first = message.split('\n')[0]!.trim()
  return /[.!?]$/.test(first) ? first : `${first}.`
}

function problem(
  source: string,
  input: { offset: number; message: string; subject: string; hint?: string | null },
): PageProblem {
  const { offset, message, subject, hint = null } = input
  return { rule: 'frontmatter', ...createLineIndex(source).at(offset), message, hint, subject }
}
