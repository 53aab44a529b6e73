import { Document, isCollection, isMap, isScalar, type Pair, parseDocument, type Scalar } from 'yaml'
import { DocentError } from '#base/errors.ts'
import { findFrontmatter } from '../parse/frontmatter.ts'
import { type DocsTree, getPage, getText, requireOpen } from './docs-tree.ts'
import { applySplices, lineEndOf, type Splice } from './splice.ts'

export type FrontmatterValue = string | number | boolean | null | string[]

export interface FrontmatterEdit {
  path: string
  /** False: it had this value already. */
  changed: boolean
}

// Real ones have a few lines; parsing one of megabytes, made for it, would keep everybody waiting.
const mostYaml = 20_000

/** Sets one key of a page's frontmatter. Every other line keeps its bytes: comments, order, quotes. */
export async function setFrontmatter(
  tree: DocsTree,
  { path, key, value }: { path: string; key: string; value: FrontmatterValue },
): Promise<FrontmatterEdit> {
  const page = getPage(tree, path)
  requireOpen(tree, page)
  const before = await getText(tree, page)
  const after = withFrontmatter(before, { path: page, key, value })
  if (after === before) return { path: page, changed: false }
  tree.write(page, Buffer.from(after))
  return { path: page, changed: true }
}

/** A page's text with the key set. */
export function withFrontmatter(
  source: string,
  { path, key, value }: { path: string; key: string; value: FrontmatterValue },
): string {
  if (!/^[^\s\p{C}][^\p{C}]{0,99}$/u.test(key)) {
    const message = `A frontmatter key is 1 to 100 characters in one line; found ${JSON.stringify(key.slice(0, 100))}.`
    throw new DocentError('invalid', 'frontmatter.bad_key', message)
  }
  const lineEnd = lineEndOf(source)
  const block = findFrontmatter(source)
  if (block && 'unclosed' in block) throw doesNotParse(path, 'no second --- line ends it')
  const line = `${writeKey(key)}: ${writeValue(value)}${lineEnd}`
  if (!block) {
    const mark = source.startsWith('\uFEFF') ? '\uFEFF' : ''
    const body = source.slice(mark.length)
    const gap = body === '' || /^\r?\n/.test(body) ? '' : lineEnd
    return `${mark}---${lineEnd}${line}---${lineEnd}${gap}${body}`
  }
  const yaml = source.slice(block.start, block.end)
  if (yaml.length > mostYaml) throw doesNotParse(path, `it has more than ${mostYaml} characters`)
  // The parser's own look for keys that stand twice takes time with the square of their number.
  const document = parseDocument(yaml, { keepSourceTokens: true, uniqueKeys: false })
  const fault = document.errors[0]
  if (fault) throw doesNotParse(path, fault.message.split('\n')[0]!.replace(/:$/, ''))
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return applySplices(source, [{ start: block.end, end: block.end, text: line }])
  }
  if (!isMap(contents) || contents.flow) throw doesNotParse(path, 'expected lines of `key: value`')
  const keys = contents.items.map((one) => (isScalar(one.key) ? String(one.key.value) : ''))
  if (new Set(keys).size < keys.length) throw doesNotParse(path, 'a key stands in it twice')
  const pair = contents.items[keys.indexOf(key)]
  if (!pair) return applySplices(source, [{ start: block.end, end: block.end, text: line }])
  const splice = valueSplice(yaml, pair as Pair<Scalar, unknown>, value)
  if (!splice) return source
  return applySplices(source, [{ ...splice, start: splice.start + block.start, end: splice.end + block.start }])
}

/** What to put in place of the value; null when it is the same already. */
function valueSplice(yaml: string, pair: Pair<Scalar, unknown>, value: FrontmatterValue): Splice | null {
  const old = pair.value
  const keyEnd = pair.key.range![1]
  const colon = yaml.indexOf(':', keyEnd)
  const afterColon = colon + 1
  if (isScalar(old) && old.range) {
    if (old.value === value && (value !== null || old.range[1] > old.range[0])) return null
    const isBlock = old.type === 'BLOCK_LITERAL' || old.type === 'BLOCK_FOLDED'
    const [start, end] = old.range
    if (start === end) return { start: afterColon, end: afterColon, text: ` ${writeValue(value)}` }
    const text = writeValue(value, old.type)
    if (!isBlock) return { start, end, text }
    const lineEnd = /\r?\n$/.exec(yaml.slice(start, end))?.[0] ?? ''
    return { start, end, text: text + lineEnd }
  }
  if (isCollection(old) && old.range) {
    if (JSON.stringify(old.toJSON()) === JSON.stringify(value)) return null
    const end = afterColon + yaml.slice(afterColon, old.range[1]).trimEnd().length
    return { start: afterColon, end, text: ` ${writeValue(value)}` }
  }
  return { start: afterColon, end: afterColon, text: ` ${writeValue(value)}` }
}

function writeKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

function writeValue(value: FrontmatterValue, type?: Scalar['type']): string {
  if (Array.isArray(value)) return `[${value.map((one) => writeScalar(one, 'QUOTE_DOUBLE')).join(', ')}]`
  return writeScalar(value, type)
}

/**
 * In one line, and in quotes where plain text would be read as something else: also by YAML 1.1, which takes `yes` for
 * true and some readers of frontmatter still speak.
 */
function writeScalar(value: string | number | boolean | null, type?: Scalar['type']): string {
  const document = new Document({ k: value }, { compat: 'yaml-1.1' })
  const scalar = document.get('k', true) as Scalar
  if (typeof value === 'string' && (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE')) scalar.type = type
  const written = document.toString({ lineWidth: 0, blockQuote: false }).replace(/^k: |\n$/g, '')
  // What the writer would spread over lines, or reads differently itself, is written as JSON, which is YAML too.
  const isSafe = !/[\r\n]/.test(written) && parseDocument(`k: ${written}`).get('k') === value
  return isSafe ? written : JSON.stringify(value)
}

function doesNotParse(path: string, reason: string): DocentError {
  const message = `The frontmatter of ${path} does not parse (${reason}); mend it first.`
  return new DocentError('invalid', 'frontmatter.does_not_parse', message)
}
