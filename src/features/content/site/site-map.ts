import type { FileTree } from '#infra/files/file-tree.ts'
import { type ConfigObject, type DocsConfig, folderOf, joinPath, readDocsConfig, textField } from './docs-config.ts'
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts'
import { type GeneratedPages, type Navigation, readNavigation } from './navigation.ts'
import { pageExtension } from './page-extension.ts'
import { createRedirectFinder, type Redirect } from './redirects.ts'
import { splitUrl } from './split-url.ts'
import { createSuggester } from './suggest-route.ts'

/** Where a link leads. */
export type LinkTarget =
  | { kind: 'page'; path: string; anchor: string | null }
  /** A file that is no page: an image, a download. */
  | { kind: 'asset'; path: string }
  /** Another site, a mail address, or an address that only exists when the page is shown. */
  | { kind: 'external' }
  /** Under a folder of pages that are made from a specification: whether it is there cannot be known. */
  | { kind: 'generated' }
  | {
      kind: 'missing'
      /** What was looked for, as a route. */
      route: string
      /** What was probably meant, written so that it can take the link's place. */
      suggestion: string | null
      /** The redirect's destination, when the link's own address has a redirect. */
      redirectedTo: string | null
    }

/** The pages of a docs folder by their addresses, and where links between them lead. */
export interface SiteMap {
  config: DocsConfig | null
  navigation: Navigation
  redirects: Redirect[]
  /** Files whose content it was read from. A change of any other file, which leaves it where it is, changes nothing here. */
  sources: ReadonlySet<string>
  /** Files that readers get as pages, in the order of paths. */
  pages: string[]
  /** Whether a file is only ever a part of pages. */
  isSnippet(path: string): boolean
  /** Whether .mintignore leaves the file out. */
  isIgnored(path: string): boolean
  /** The address of a page: `/guides/setup`; of an `index` file, its folder's. */
  routeOf(path: string): string
  /** The file of the page at a route, or null. */
  pageAt(route: string): string | null
  /** The file that a link, an image or an import on `from` leads to. */
  resolveLink(from: string, url: string): LinkTarget
  /** The file of an entry of the navigation, which counts from the root however it is written. */
  resolveEntry(target: string): LinkTarget
  /** The same, now that it is known which pages specifications give. */
  withGenerated(generated: KnownGenerated): SiteMap
}

export interface KnownGenerated {
  routes: ReadonlySet<string>
  /** Whose pages are not known, as their specification cannot be read. */
  isUnknown(generated: GeneratedPages): boolean
}

// Mintlify's own lists, and what speaks to agents that write the docs. Such files can be linked, but are no pages by
// themselves.
const unreadFolders = /(?:^|\/)(?:\.[^/]*|node_modules|build|dist|coverage|tmp|temp)\//
const unreadNames = /(?:^|\/)(?:readme|license|changelog|contributing|agents|claude)\.md$/i
// Without a docs.json the folder is just a repository, which is read as it lies there.
const agentNames = /(?:^|\/)(?:agents|claude)\.mdx?$/i
// Made by whatever serves the site.
const servedFiles = /^\/(?:llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|mcp|skill\.md|\.well-known\/.*)$|\/rss\.xml$/
const mostRedirects = 10

export async function readSiteMap(tree: FileTree): Promise<SiteMap> {
  const config = await readDocsConfig(tree)
  const ignoreText = tree.entries.has('.mintignore') ? await tree.read('.mintignore').catch(() => null) : null
  const isIgnored = parseIgnoreRules(ignoreText?.toString('utf8') ?? '')
  const navigation = config ? readNavigation(config) : { entries: [], operations: [], generated: [], problems: [] }
  const redirects = config?.root ? readRedirects(config.root) : []
  const files = listFiles(tree, { isIgnored, hasConfig: config !== null })
  const specifications = listSpecifications(tree, navigation)
  const hrefs = await readSpecificationHrefs(tree, specifications)
  const sources = new Set([...(config?.files ?? []), '.mintignore', ...specifications])
  const build = (generated: GeneratedPages[], routes: ReadonlySet<string>): SiteMap => ({
    ...{ config, navigation, redirects, sources, isIgnored },
    ...connect({ files, generated, redirects, routes }),
    withGenerated: (known) => build(navigation.generated.filter(known.isUnknown), known.routes),
  })
  return build(navigation.generated, hrefs)
}

interface Files {
  pages: string[]
  /** By route without its leading slash; `index` has its folder's. */
  byRoute: Map<string, string>
  all: ReadonlySet<string>
}

function listFiles(tree: FileTree, { isIgnored, hasConfig }: { isIgnored: IgnoreRules; hasConfig: boolean }): Files {
  const all = new Set<string>()
  const pages: string[] = []
  const byRoute = new Map<string, string>()
  const folded: [string, string][] = []
  for (const path of tree.entries.keys()) {
    if (isIgnored(path)) continue
    all.add(path)
    if (!pageExtension.test(path)) continue
    const route = path.replace(pageExtension, '')
    // Of two files with one route the .mdx is shown, as it comes later and the richer one.
    byRoute.set(route, path)
    if (isRead(path, hasConfig)) {
      pages.push(path)
      const name = route.slice(route.lastIndexOf('/') + 1)
      if (name === 'index' || (!hasConfig && /^readme$/i.test(name))) folded.push([folderOf(path), path])
    }
  }
  // A page that has the folder's name is its page before an index; an index before a README.
  const isReadme = (path: string) => Number(/(?:^|\/)readme\.mdx?$/i.test(path))
  for (const [folder, path] of folded.sort(([, a], [, b]) => isReadme(a) - isReadme(b))) {
    if (!byRoute.has(folder)) byRoute.set(folder, path)
  }
  return { pages, byRoute, all }
}

function isRead(path: string, hasConfig: boolean): boolean {
  if (isSnippet(path)) return false
  if (unreadFolders.test(path)) return false
  return hasConfig ? !unreadNames.test(path) : !agentNames.test(path)
}

function isSnippet(path: string): boolean {
  return /(?:^|\/)_?snippets\//.test(path)
}

interface Connected
  extends Pick<SiteMap, 'pages' | 'isSnippet' | 'routeOf' | 'pageAt' | 'resolveLink' | 'resolveEntry'> {}

function connect(input: {
  files: Files
  /** Pages that may lie anywhere in their folder. */
  generated: GeneratedPages[]
  redirects: Redirect[]
  /** Of pages that are made from specifications. */
  routes: ReadonlySet<string>
}): Connected {
  const { files, generated, routes } = input
  const findRedirect = createRedirectFinder(input.redirects)
  const generatedFolders = [...new Set(generated.map(({ folder }) => folder))]
  const suggest = createSuggester(files)
  const fromRoot = new Map<string, LinkTarget>()
  const entries = new Map<string, LinkTarget>()

  function pageAt(route: string): string | null {
    const name = trimRoute(route)
    const exact = files.byRoute.get(name)
    if (exact !== undefined) return exact
    // `/guides/setup.md` is the page's Markdown form, and how files are linked where there is no site.
    if (files.all.has(name) && pageExtension.test(name)) return name
    return name.endsWith('.md') ? (files.byRoute.get(name.slice(0, -3)) ?? null) : null
  }

  function find(path: string, anchor: string | null): LinkTarget | null {
    const page = pageAt(path)
    if (page !== null) return { kind: 'page', path: page, anchor }
    if (files.all.has(path)) return { kind: 'asset', path }
    // The first page of the navigation is shown there.
    if (path === '') return { kind: 'generated' }
    const route = `/${trimRoute(path)}`
    if (servedFiles.test(route) || routes.has(route)) return { kind: 'generated' }
    const isGenerated = generatedFolders.some((folder) => route === `/${folder}` || route.startsWith(`/${folder}/`))
    return isGenerated ? { kind: 'generated' } : null
  }

  function resolve(candidates: string[], anchor: string | null): LinkTarget {
    for (const candidate of candidates) {
      const found = find(candidate, anchor)
      if (found) return found
    }
    for (const candidate of candidates) {
      let route = `/${candidate}`
      let destination: string | null = null
      for (let hops = 0; hops < mostRedirects; hops++) {
        const next = findRedirect(route)
        if (next === null) break
        destination = next
        const { path, fragment, isExternal } = splitUrl(next)
        if (isExternal) return { kind: 'external' }
        const found = find(trimRoute(path), anchor ?? fragment)
        if (found) return found
        route = path
      }
      if (destination !== null) {
        return { kind: 'missing', route: `/${candidate}`, suggestion: null, redirectedTo: destination }
      }
    }
    const [route] = candidates
    const suggestion = route === undefined ? null : suggest(route)
    return { kind: 'missing', route: `/${route ?? ''}`, suggestion, redirectedTo: null }
  }

  return {
    pages: files.pages,
    isSnippet,
    pageAt,
    routeOf(path) {
      const route = path.replace(pageExtension, '')
      const folder = folderOf(path)
      return `/${files.byRoute.get(folder) === path ? folder : route}`
    },
    resolveLink(from, url) {
      // From the root it leads to the same place wherever it stands, and most links of a large site do so again and again.
      if (!url.startsWith('/')) return resolveFrom(from, url)
      const known = fromRoot.get(url) ?? resolveFrom(from, url)
      fromRoot.set(url, known)
      return known
    },
    resolveEntry(target) {
      const known = entries.get(target) ?? resolveTarget(target)
      entries.set(target, known)
      return known
    },
  }

  function resolveTarget(target: string): LinkTarget {
    const { path, fragment, isExternal } = splitUrl(target)
    return isExternal ? { kind: 'external' } : resolve([joinPath('', path) ?? ''], fragment)
  }

  function resolveFrom(from: string, url: string): LinkTarget {
    const { path, fragment, isExternal } = splitUrl(url)
    if (isExternal) return { kind: 'external' }
    if (path === '') return { kind: 'page', path: from, anchor: fragment }
    const here = joinPath(folderOf(from), path)
    const candidates = here === null ? [] : [here]
    // Without a dot in front, both readings are in use.
    if (!/^(?:\/|\.\.?\/)/.test(path)) candidates.push(joinPath('', path) ?? '')
    return resolve(candidates, fragment)
  }
}

function trimRoute(route: string): string {
  let start = 0
  let end = route.length
  while (route[start] === '/') start++
  while (end > start && route[end - 1] === '/') end--
  return route.slice(start, end)
}

function readRedirects(root: ConfigObject): Redirect[] {
  const list = root.fields.get('redirects')
  if (list?.kind !== 'list') return []
  return list.items.flatMap((item) => {
    if (item.kind !== 'object') return []
    const source = textField(item, 'source')?.value
    const destination = textField(item, 'destination')?.value
    return source === undefined || destination === undefined ? [] : [{ source, destination }]
  })
}

function listSpecifications(tree: FileTree, { generated }: Navigation): Set<string> {
  const paths = generated.map(({ source }) => joinPath('', source))
  return new Set(paths.filter((path) => path !== null && tree.entries.has(path)) as string[])
}

/** Routes that specifications give to their pages themselves, by `x-mint: { href }`. */
async function readSpecificationHrefs(tree: FileTree, paths: ReadonlySet<string>): Promise<Set<string>> {
  const hrefs = new Set<string>()
  for (const path of paths) {
    const text = (await tree.read(path).catch(() => null))?.toString('utf8') ?? ''
    for (const match of text.matchAll(/\bhref["']?\s*:\s*["']?(\/[^\s"',}]+)/g)) hrefs.add(match[1]!)
  }
  return hrefs
}
