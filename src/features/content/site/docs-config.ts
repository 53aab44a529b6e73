import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { FileTree } from '#infra/files/file-tree.ts'
import { type Problem, problemKey } from '../check/problem.ts'
import { createLineIndex, type LineIndex } from '../parse/source-position.ts'
import { hasTooManyValues, mostConfigBytes, mostConfigValues } from './config-limits.ts'

/** One value of the configuration, with the place it is written at. Files named by `$ref` are already in it. */
export type ConfigValue = ConfigObject | ConfigList | ConfigScalar

interface Placed {
  /** File that it is written in, and its span there; of a text, without the quotes. */
  file: string
  start: number
  end: number
}
export interface ConfigObject extends Placed {
  kind: 'object'
  fields: Map<string, ConfigValue>
}
export interface ConfigList extends Placed {
  kind: 'list'
  items: ConfigValue[]
}
export interface ConfigScalar extends Placed {
  kind: 'scalar'
  value: string | number | boolean | null
}

export interface DocsConfig {
  /** `docs.json` or `mint.json`. */
  path: string
  /** Null when it is no JSON object. */
  root: ConfigObject | null
  problems: Problem[]
  /** The files that it was read from: `path`, and those that are named by `$ref`. */
  files: ReadonlySet<string>
  /** Line and column of an offset in a file that the configuration is made of. */
  placeOf(value: Pick<Placed, 'file' | 'start'>): { line: number; column: number }
}

export const configNames = ['docs.json', 'mint.json']
// A file that names itself, or a chain that a person would not write.
const mostRefDepth = 20
const mostFiles = 1_000
// Far above what navigation needs, far below what the stack holds.
const mostDepth = 500

/** Reads docs.json, or mint.json, with what it refers to; null when there is neither. */
export async function readDocsConfig(tree: FileTree): Promise<DocsConfig | null> {
  const path = configNames.find((name) => tree.entries.has(name))
  if (path === undefined) return null
  const problems: Problem[] = []
  const files = await loadFiles(tree, path)
  for (const { problem } of files.values()) if (problem) problems.push(problem)
  let values = 0

  function report(at: Placed, message: string, subject: string): void {
    const place = files.get(at.file)!.lines.at(at.start)
    const key = problemKey('config', at.file, subject)
    problems.push({ rule: 'config', path: at.file, ...place, message, hint: null, key })
  }

  function convert(node: Node, file: string, chain: string[]): ConfigValue {
    values++
    const placed = { file, start: node.offset, end: node.offset + node.length }
    if (node.type === 'array') {
      return { kind: 'list', ...placed, items: (node.children ?? []).map((child) => convert(child, file, chain)) }
    }
    if (node.type !== 'object') {
      const inner = node.type === 'string' ? { start: placed.start + 1, end: placed.end - 1 } : {}
      return { kind: 'scalar', ...placed, ...inner, value: node.value }
    }
    const fields = new Map<string, ConfigValue>()
    let referred: ConfigValue | null = null
    for (const [name, value] of propertiesOf(node)) {
      if (name === '$ref' && value.type === 'string') referred = follow(value, file, chain)
      else fields.set(name, convert(value, file, chain))
    }
    if (referred === null) return { kind: 'object', ...placed, fields }
    // Fields beside a reference stand above those of the file; beside a list they mean nothing.
    if (referred.kind !== 'object') return referred
    return { ...referred, fields: new Map([...referred.fields, ...fields]) }
  }

  function follow(reference: Node, file: string, chain: string[]): ConfigValue | null {
    const placed = { file, start: reference.offset + 1, end: reference.offset + reference.length - 1 }
    const target = joinPath(folderOf(file), reference.value)
    const loaded = target === null ? undefined : files.get(target)
    if (target === null || loaded === undefined) {
      report(placed, `"$ref" names ${reference.value}, which does not exist.`, `$ref ${reference.value}`)
      return null
    }
    if (chain.includes(target) || chain.length >= mostRefDepth || values > mostConfigValues) {
      report(placed, `"$ref" to ${reference.value} leads in a circle.`, `$ref circle ${reference.value}`)
      return null
    }
    return loaded.root === null ? null : convert(loaded.root, target, [...chain, target])
  }

  const { root: rootNode } = files.get(path)!
  const root = rootNode === null ? null : convert(rootNode, path, [path])
  if (root && root.kind !== 'object') {
    report(root, `${path} must be an object: { "name": …, "navigation": … }.`, 'shape')
  }
  return {
    path,
    root: root?.kind === 'object' ? root : null,
    problems,
    files: new Set(files.keys()),
    placeOf: ({ file, start }) => files.get(file)!.lines.at(start),
  }
}

interface ConfigFile {
  text: string
  lines: LineIndex
  /** Null when it is no JSON; `problem` says why. */
  root: Node | null
  problem: Problem | null
}

/** The file and all that it refers to. One that is not there is left out. */
async function loadFiles(tree: FileTree, first: string): Promise<Map<string, ConfigFile>> {
  const files = new Map<string, ConfigFile>()
  const waiting = [first]
  let bytes = 0
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || !tree.entries.has(file) || files.size >= mostFiles) continue
    // Of all of them together: a few names of one large file would do as well as one of gigabytes.
    bytes += tree.entries.get(file)!.size
    const loaded = parseConfigFile(file, bytes > mostConfigBytes ? null : await tree.read(file))
    files.set(file, loaded)
    if (loaded.root === null) continue
    for (const reference of referencesIn(loaded.root)) {
      const target = joinPath(folderOf(file), reference)
      if (target !== null) waiting.push(target)
    }
  }
  return files
}

function parseConfigFile(file: string, bytes: Buffer | null): ConfigFile {
  const text = bytes?.toString('utf8') ?? ''
  const lines = createLineIndex(text)
  const fail = (offset: number, message: string, hint: string | null = null): ConfigFile => {
    const place = lines.at(Math.min(offset, text.length))
    const key = problemKey('config', file, 'json')
    return { text, lines, root: null, problem: { rule: 'config', path: file, ...place, message, hint, key } }
  }
  if (bytes === null) return fail(0, `${file} is too large to be read.`)
  if (hasTooManyValues(text)) return fail(0, `${file} has more than ${mostConfigValues} values.`)
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    // A space in place of the mark keeps every offset.
    root = parseTree(text.replace(/^\ufeff/, ' '), errors, { disallowComments: true })
    if (root && depthOf(root) > mostDepth) return fail(0, `${file} nests deeper than ${mostDepth} levels.`)
  } catch {
    return fail(0, `${file} nests deeper than ${mostDepth} levels.`)
  }
  const [error] = errors
  if (error) {
    const reason = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    return fail(error.offset, `${file} is no JSON: ${reason}.`, commonFault(text, error.offset))
  }
  return root === undefined ? fail(0, `${file} is empty.`) : { text, lines, root, problem: null }
}

function* propertiesOf(node: Node): Generator<[string, Node]> {
  for (const { children } of node.children ?? []) {
    const [name, value] = children ?? []
    if (name && value) yield [String(name.value), value]
  }
}

function referencesIn(root: Node): string[] {
  const found: string[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'object') {
      for (const [name, value] of propertiesOf(node)) {
        if (name === '$ref' && value.type === 'string') found.push(value.value)
      }
    }
    for (const child of node.children ?? []) open.push(child)
  }
  return found
}

function depthOf(root: Node): number {
  let deepest = 0
  const open: [Node, number][] = [[root, 1]]
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next[1])
    for (const child of next[0].children ?? []) open.push([child, next[1] + 1])
  }
  return deepest
}

function commonFault(text: string, offset: number): string | null {
  const isEnd = /^\s*[}\]]/.test(text.slice(offset, offset + 200))
  const before = text.slice(Math.max(0, offset - 200), offset).trimEnd()
  return isEnd && before.endsWith(',') ? 'The comma before it is one too many.' : null
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** Joins a relative path to a folder; from the root when it begins with a slash. Null when it leads outside. */
export function joinPath(folder: string, relative: string): string | null {
  const parts = relative.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** The field of an object, if it is a text. */
export function textField(object: ConfigObject, name: string): (ConfigScalar & { value: string }) | null {
  const field = object.fields.get(name)
  return field?.kind === 'scalar' && typeof field.value === 'string' ? { ...field, value: field.value } : null
}
