import { type Problem, problemKey } from '../check/problem.ts'
import { type ConfigObject, type ConfigValue, type DocsConfig, textField } from './docs-config.ts'
import { defaultDirectory, parseOperation } from './operation-pages.ts'

/** A place of the configuration that names a page or an address. */
export interface NavigationEntry {
  /** As the page list writes it: `guides/setup`. */
  target: string
  /** An entry of `pages`, the `root` of a group, or the `href` of a link. */
  kind: 'page' | 'root' | 'href'
  /** File that it is written in: `docs.json`, or one that it refers to. */
  file: string
  /** Span of the text between the quotes. */
  start: number
  end: number
  line: number
  column: number
}

/** A specification that pages are made from; where those pages will be is known no closer than this folder. */
export interface GeneratedPages {
  /** As written: a path or a URL. */
  source: string
  /** Route that the pages lie under, without slashes around it. */
  folder: string
  place: { file: string; start: number } | null
}

export interface Navigation {
  entries: NavigationEntry[]
  /** Entries that name an operation of a specification: `GET /x`, `spec.json GET /x`. */
  operations: NavigationEntry[]
  generated: GeneratedPages[]
  problems: Problem[]
}

// What may stand inside any part of the navigation, each a list of objects.
const divisions = ['languages', 'versions', 'products', 'dropdowns', 'tabs', 'menu', 'anchors', 'groups']

/** The page references of docs.json and mint.json, in their order. What is not understood is passed over. */
export function readNavigation(config: DocsConfig): Navigation {
  const entries: NavigationEntry[] = []
  const operations: NavigationEntry[] = []
  const generated: GeneratedPages[] = []
  const problems: Problem[] = []
  const { root } = config
  if (root === null) return { entries, operations, generated, problems }

  function add(kind: NavigationEntry['kind'], value: ConfigValue): void {
    if (value.kind !== 'scalar' || typeof value.value !== 'string') return
    const { file, start, end, value: target } = value
    const into = kind === 'page' && parseOperation(target) !== null ? operations : entries
    into.push({ target, kind, file, start, end, ...config.placeOf(value) })
  }

  function report(value: ConfigValue, message: string): void {
    const key = problemKey('config', value.file, message)
    problems.push({ rule: 'config', path: value.file, ...config.placeOf(value), message, hint: null, key })
  }

  function walkPages(list: ConfigValue): void {
    if (list.kind !== 'list') {
      report(list, `"pages" must be a list, found ${describe(list)}.`)
      return
    }
    for (const item of list.items) {
      if (item.kind === 'object') walk(item)
      else if (item.kind === 'scalar' && typeof item.value === 'string') {
        add('page', item)
      } else report(item, `"pages" holds page paths and groups, found ${describe(item)}.`)
    }
  }

  function walk(node: ConfigObject): void {
    for (const [name, value] of node.fields) {
      if (name === 'pages') walkPages(value)
      else if (name === 'root') add('root', value)
      else if (name === 'href') add('href', value)
      else if (name === 'openapi' || name === 'asyncapi') addGenerated(value)
      // Made from the output of other tools, which is not read.
      else if (name === 'sdk' && value.kind === 'object') addSdk(value)
      else if (name === 'global' && value.kind === 'object') walk(value)
      else if (divisions.includes(name)) {
        if (value.kind !== 'list') report(value, `"${name}" must be a list, found ${describe(value)}.`)
        else for (const item of value.items) if (item.kind === 'object') walk(item)
      }
    }
  }

  function addGenerated(value: ConfigValue): void {
    if (value.kind === 'list') for (const item of value.items) addGenerated(item)
    else if (value.kind === 'object') {
      const source = textField(value, 'source')
      const folder = textField(value, 'directory')?.value ?? defaultDirectory
      generated.push({ source: source?.value ?? '', folder: trim(folder), place: source })
    } else if (typeof value.value === 'string') {
      generated.push({ source: value.value, folder: defaultDirectory, place: value })
    }
  }

  function addSdk(value: ConfigObject): void {
    const folder = textField(value, 'directory')?.value
    if (folder !== undefined) generated.push({ source: '', folder: trim(folder), place: null })
  }

  const navigation = root.fields.get('navigation')
  const api = root.fields.get('api')
  // What entries mean by `GET /x`.
  for (const name of ['openapi', 'asyncapi']) {
    const specs = api?.kind === 'object' ? api.fields.get(name) : undefined
    if (specs) addGenerated(specs)
  }
  if (navigation?.kind === 'object') walk(navigation)
  // mint.json has its groups there directly, and its tabs and anchors beside them.
  else if (navigation?.kind === 'list') {
    for (const item of navigation.items) {
      if (item.kind === 'object') walk(item)
      else report(item, `"navigation" holds groups, found ${describe(item)}.`)
    }
    for (const name of ['tabs', 'anchors', 'openapi', 'asyncapi']) {
      const beside = root.fields.get(name)
      if (beside?.kind === 'list') for (const item of beside.items) if (item.kind === 'object') walk(item)
      if (beside && (name === 'openapi' || name === 'asyncapi')) addGenerated(beside)
    }
  } else if (navigation) report(navigation, `"navigation" must be an object, found ${describe(navigation)}.`)
  else if (config.problems.length === 0) report(root, `"navigation" is missing in ${config.path}.`)
  return { entries, operations, generated, problems }
}

function describe(value: ConfigValue): string {
  if (value.kind === 'list') return 'a list'
  if (value.kind === 'object') return 'an object'
  return value.value === null ? 'null' : typeof value.value === 'string' ? 'text' : `a ${typeof value.value}`
}

function trim(folder: string): string {
  return folder.split('/').filter(Boolean).join('/')
}
