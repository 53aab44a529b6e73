import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { FileTree } from '#infra/files/file-tree.ts'
import { type Problem, problemKey } from '../check/problem.ts'
import { createLineIndex, type LineIndex } from '../parse/source-position.ts'
import { hasTooManyValues, mostConfigBytes, mostConfigValues } from './config-limits.ts'
import { type PlacedJson, readPlacedJson } from './placed-json.ts'

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

  /** The file's value with all that it refers to in it. */
  function resolveFile(json: PlacedJson, from: Resolving): ConfigValue {
    values += json.count
    return json.references.length === 0 ? json.value : resolve(json.value, from)
  }

  function resolve(value: ConfigValue, from: Resolving): ConfigValue {
    if (value.kind === 'scalar') return value
    const inside = { ...from, depth: from.depth + 1 }
    if (value.kind === 'list') return { ...value, items: value.items.map((item) => resolve(item, inside)) }
    const fields = new Map<string, ConfigValue>()
    let referred: ConfigValue | null = null
    for (const [name, field] of value.fields) {
      const reference = name === '$ref' ? textField(value, name) : null
      if (reference) referred = follow(reference, inside)
      else fields.set(name, resolve(field, inside))
    }
    if (referred === null) return { ...value, fields }
    // Fields beside a reference stand above those of the file; beside a list they mean nothing.
    if (referred.kind !== 'object') return referred
    return { ...referred, fields: new Map([...referred.fields, ...fields]) }
  }

  function follow(reference: ConfigScalar & { value: string }, { chain, depth }: Resolving): ConfigValue | null {
    const { value: name } = reference
    const target = joinPath(folderOf(reference.file), name)
    const loaded = target === null ? undefined : files.get(target)
    if (target === null || loaded === undefined) {
      report(reference, `"$ref" names ${name}, which does not exist.`, `$ref ${name}`)
      return null
    }
    if (chain.includes(target) || chain.length >= mostRefDepth || values > mostConfigValues) {
      report(reference, `"$ref" to ${name} leads in a circle.`, `$ref circle ${name}`)
      return null
    }
    if (loaded.json === null) return null
    if (depth + loaded.json.depth > mostDepth) {
      report(reference, `With "$ref" to ${name}, it nests deeper than ${mostDepth} levels.`, `$ref depth ${name}`)
      return null
    }
    return resolveFile(loaded.json, { chain: [...chain, target], depth })
  }

  const { json } = files.get(path)!
  const root = json === null ? null : resolveFile(json, { chain: [path], depth: 0 })
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

/** The files that lead here, and how deep in all of them together. */
interface Resolving {
  chain: string[]
  depth: number
}

interface ConfigFile {
  lines: LineIndex
  /** Null when it is no JSON; `problem` says why. */
  json: PlacedJson | null
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
    for (const reference of loaded.json?.references ?? []) {
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
    return { lines, json: null, problem: { rule: 'config', path: file, ...place, message, hint, key } }
  }
  if (bytes === null) return fail(0, `${file} is too large to be read.`)
  if (hasTooManyValues(text)) return fail(0, `${file} has more than ${mostConfigValues} values.`)
  // A space in place of the mark keeps every offset.
  const whole = text.replace(/^\ufeff/, ' ')
  if (whole.trim() === '') return fail(0, `${file} is empty.`)
  try {
    JSON.parse(whole)
  } catch (error) {
    const { offset, reason } = findFault(whole, error)
    return fail(offset, `${file} is no JSON: ${reason}.`, commonFault(text, offset))
  }
  const json = readPlacedJson(whole, { file, mostDepth })
  return json ? { lines, json, problem: null } : fail(0, `${file} nests deeper than ${mostDepth} levels.`)
}

/** Said by a parser that is slower and knows where it is. */
function findFault(text: string, cause: unknown): { offset: number; reason: string } {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, { disallowComments: true })
  } catch {
    return { offset: 0, reason: `it nests deeper than ${mostDepth} levels` }
  }
  const [error] = errors
  if (!error) return { offset: 0, reason: cause instanceof Error ? cause.message : 'it cannot be read' }
  const reason = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return { offset: error.offset, reason }
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
