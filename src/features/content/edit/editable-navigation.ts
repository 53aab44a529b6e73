import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { DocentError } from '#base/errors.ts'
import { hasTooManyValues, mostConfigBytes } from '../site/config-limits.ts'
import { type DocsTree, findText, folderOf, tidyPath } from './docs-tree.ts'

/** One JSON file of the site's configuration, with where everything in it stands. */
export interface ConfigFile {
  path: string
  text: string
  root: Node
}

/** A place in the configuration that names a page, an address of the site, or some other file of the docs. */
export interface NavigationEntry {
  kind: 'page' | 'root' | 'href' | 'file'
  value: string
  file: ConfigFile
  /** The string itself, quotes included. */
  node: Node
  /** Names of the tabs, groups and so on around it, outermost first. */
  within: string[]
}

/** Something in the navigation that holds pages. */
export interface NavigationGroup {
  /** Names from the outside in; the last is its own. */
  names: string[]
  isGroup: boolean
  file: ConfigFile
  node: Node
  /** Its pages, in the file that holds them; null when it has none (an OpenAPI group, a link). */
  pages: NavigationList | null
}

export interface NavigationList {
  file: ConfigFile
  node: Node
}

export interface Navigation {
  /** docs.json or mint.json. */
  main: ConfigFile
  files: ConfigFile[]
  entries: NavigationEntry[]
  groups: NavigationGroup[]
  /** Pages at the top, outside of any group; null when there is no such list. */
  topPages: NavigationList | null
  redirects: NavigationList | null
}

const configNames = ['docs.json', 'mint.json']
/** The property that gives a division of the navigation its name. */
const nameKeys = ['group', 'tab', 'anchor', 'dropdown', 'language', 'version', 'product', 'item', 'name']
/** A reference can lead to a reference; one that leads in a circle ends here. */
const mostReferences = 8
/** Far more than any navigation has; what is deeper was made to exhaust the stack. */
const mostDepth = 60

/** The configuration as it stands now; null when the site has none. Throws `invalid` when it does not parse. */
export async function findNavigation(tree: DocsTree): Promise<Navigation | null> {
  const name = configNames.find((one) => tree.entries.has(one))
  if (name === undefined) return null
  const main = await readConfig(tree, name, 0)
  const walk = new Walk(tree, main)
  await walk.run()
  return walk.found
}

/** `bytes` is what the files have that were read before it. */
async function readConfig(tree: DocsTree, path: string, bytes: number): Promise<ConfigFile> {
  if (bytes + tree.entries.get(path)!.size > mostConfigBytes) throw tooLarge(path)
  const text = await findText(tree, path)
  if (text !== null && hasTooManyValues(text)) throw tooLarge(path)
  const mark = text?.startsWith('\uFEFF') ? 1 : 0
  // Spaces instead of the mark keep every offset where it is.
  const root = text === null ? undefined : parseJson(mark ? ` ${text.slice(1)}` : text)
  if (text === null || !root) {
    throw new DocentError('invalid', 'config.does_not_parse', `${path} does not parse as JSON; mend it first.`)
  }
  return { path, text, root }
}

function tooLarge(path: string): DocentError {
  const message = `${path} is too large to be edited, with what it refers to: at most ${mostConfigBytes} bytes are.`
  return new DocentError('too_large', 'config.too_large', message)
}

function parseJson(text: string): Node | undefined {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true })
    return errors.length === 0 ? root : undefined
  } catch (error) {
    // Brackets nested without end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Place {
  file: ConfigFile
  within: string[]
  inNavigation: boolean
  references: number
  depth: number
}

class Walk {
  readonly found: Navigation
  readonly #tree: DocsTree
  readonly #files = new Map<string, ConfigFile>()
  /** Each is gone through once: one that is referred to a thousand times by another must not cost a thousand walks. */
  readonly #walked = new Set<string>()
  #bytes: number

  constructor(tree: DocsTree, main: ConfigFile) {
    this.#tree = tree
    this.#bytes = tree.entries.get(main.path)!.size
    this.#files.set(main.path, main)
    this.found = { main, files: [main], entries: [], groups: [], topPages: null, redirects: null }
  }

  async run(): Promise<void> {
    const { main } = this.found
    const place: Place = { file: main, within: [], inNavigation: false, references: 0, depth: 0 }
    for (const [key, value] of propertiesOf(main.root)) {
      if (key === 'redirects') this.found.redirects = await this.#list(value, place)
      else if (key === 'navigation') await this.#navigation(value, place)
      else await this.#value(key, value, place)
    }
  }

  async #navigation(node: Node, place: Place): Promise<void> {
    const inner = { ...place, inNavigation: true }
    const target = await this.#followed(node, inner)
    for (const [key, value] of propertiesOf(target.node)) {
      if (key === 'pages') this.found.topPages = await this.#list(value, { ...inner, file: target.file })
    }
    await this.#value('navigation', node, inner)
  }

  /** A list that may stand in a file of its own. */
  async #list(node: Node, place: Place): Promise<NavigationList | null> {
    const target = await this.#followed(node, place)
    return target.node.type === 'array' ? target : null
  }

  async #followed(node: Node, place: Place): Promise<NavigationList> {
    const reference = referenceOf(node)
    if (reference === null || place.references >= mostReferences) return { file: place.file, node }
    const file = await this.#referenced(reference, place.file)
    if (!file) return { file: place.file, node }
    return await this.#followed(file.root, { ...place, file, references: place.references + 1 })
  }

  async #referenced(reference: string, from: ConfigFile): Promise<ConfigFile | null> {
    const path = tidyPath(reference.startsWith('/') ? reference : `${folderOf(from.path)}/${reference}`)
    const known = this.#files.get(path)
    if (known) return known
    if (!this.#tree.entries.has(path)) return null
    const file = await readConfig(this.#tree, path, this.#bytes)
    this.#bytes += this.#tree.entries.get(path)!.size
    this.#files.set(path, file)
    this.found.files.push(file)
    return file
  }

  async #value(key: string, node: Node, outer: Place): Promise<void> {
    if (node.type === 'string') return this.#string(key, node, outer)
    if (outer.depth > mostDepth) return
    const place = { ...outer, depth: outer.depth + 1 }
    if (node.type === 'array') {
      for (const item of node.children ?? []) await this.#value(key, item, place)
      return
    }
    if (node.type !== 'object') return
    if (referenceOf(node) !== null) {
      const target = await this.#followed(node, place)
      if (target.node !== node && !this.#walked.has(target.file.path)) {
        this.#walked.add(target.file.path)
        await this.#value(key, target.node, { ...place, file: target.file })
      }
    }
    const properties = propertiesOf(node)
    const named = place.inNavigation ? nameKeys.map((name) => stringAt(properties, name)).find((name) => name) : null
    const inner = named ? { ...place, within: [...place.within, named] } : place
    if (named) {
      const pages = properties.find(([name]) => name === 'pages')?.[1]
      this.found.groups.push({
        names: inner.within,
        isGroup: stringAt(properties, 'group') !== null,
        file: place.file,
        node,
        pages: pages ? await this.#list(pages, place) : null,
      })
    }
    for (const [name, value] of properties) await this.#value(name, value, inner)
  }

  #string(key: string, node: Node, place: Place): void {
    const isPage = place.inNavigation && (key === 'pages' || key === 'root' || key === 'page')
    const isLink = key === 'href' || key === 'url'
    const isFile = !isPage && !isLink && /^[^:]*\.\w+$/.test(String(node.value))
    if (!isPage && !isLink && !isFile) return
    const kind = isFile ? 'file' : isLink ? 'href' : key === 'root' ? 'root' : 'page'
    this.found.entries.push({ kind, value: String(node.value), file: place.file, node, within: place.within })
  }
}

export function propertiesOf(node: Node): [key: string, value: Node][] {
  if (node.type !== 'object') return []
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? []
    return key && value ? [[String(key.value), value] as [string, Node]] : []
  })
}

function stringAt(properties: [string, Node][], key: string): string | null {
  const node = properties.find(([name]) => name === key)?.[1]
  return node?.type === 'string' ? String(node.value) : null
}

function referenceOf(node: Node): string | null {
  return stringAt(propertiesOf(node), '$ref')
}
