import { type FileTree, mostFileBytes } from '#infra/files/file-tree.ts'
import { type Problem, type ProblemRule, problemKey } from '../check/problem.ts'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import { buildNavigationTree } from './build-navigation.ts'
import type { ConfigValue, DocsConfig } from './docs-config.ts'
import { folderNavigation } from './folder-navigation.ts'
import { modernConfig } from './mint-config.ts'
import type { NavigationPlace, NavigationTree } from './navigation-tree.ts'
import { createOperationPages, type OperationPages, parseChannel, parseOperation } from './operation-pages.ts'
import { listPlaces } from './places.ts'
import { readSiteSettings } from './read-site-settings.ts'
import { readSpecs } from './read-specs.ts'
import { createSafeRedirects } from './redirects.ts'
import { readSiteMap, type SiteMap } from './site-map.ts'
import type { SiteSettings } from './site-settings.ts'
import { splitUrl } from './split-url.ts'

/** A docs folder understood as a site: its pages by route, and how readers find them. */
export interface SiteModel {
  map: SiteMap
  settings: SiteSettings
  navigation: NavigationTree
  /** Every page that readers can open, by route (`/`, `/guides/setup`): files, and operations of specifications. */
  pages: ReadonlyMap<string, PageSource>
  /** Null for a page outside the navigation, which can be read all the same. */
  placeOf(route: string): NavigationPlace | null
  /** Pages in the order in which they are read: those of the navigation. */
  order: readonly string[]
  /** What `/` shows; null for a site without pages. */
  home: string | null
  /** Where a route without a page is sent: an address as written, or null. */
  redirectOf(route: string): string | null
  /** The operation that a page or an entry means by `GET /x` or `spec.json GET /x`; null when no specification has it. */
  findOperation(reference: string): { spec: string; method: string; path: string } | null
  /** What the configuration says and what could not be used. */
  problems: readonly Problem[]
  /** What readers do not get although nothing is wrong with it: specifications that lie elsewhere. */
  omissions: readonly Problem[]
}

export type PageSource =
  | { kind: 'file'; path: string }
  /** Made from a specification alone. */
  | { kind: 'operation'; spec: string; method: string; path: string; title: string }

export interface ReadSiteModelOptions {
  /** Reads a specification; null when it is none. Done in a process that may be lost: specifications are anybody's. */
  outline(spec: { path: string; id: string; text: string }): Promise<SpecOutline | null>
  /** Whether `findOperation` will be asked, which looks in all of them; else those that nothing names are not read. */
  needsAllSpecs?: boolean
}

export type ReadSiteModel = (tree: FileTree, options: ReadSiteModelOptions) => Promise<SiteModel>

export const readSiteModel: ReadSiteModel = async (tree, { outline, needsAllSpecs = true }) => {
  const map = await readSiteMap(tree)
  const { settings, problems } = readSiteSettings(map.config)
  const specs = await readSpecs(tree, { map, api: settings.api, outline, needsAll: needsAllSpecs })
  const files = listFilePages(map)
  const operations = createOperationPages({ specs, taken: files.keys() })
  const problemsOfTree: Problem[] = []
  const omissions: Problem[] = []
  const { navigation, places } = readTree({ tree, map, files, operations, problems: problemsOfTree, omissions })
  const pages = new Map([...files, ...operations.pages])
  const known = map.withGenerated({
    routes: new Set(operations.pages.keys()),
    isUnknown: ({ source }) => !operations.isKnown(source),
  })
  const order = [...places.keys()]
  return {
    map: { ...known, pages: listPaths(map, files), sources: new Set([...map.sources, ...specs.keys()]) },
    settings,
    navigation,
    pages,
    placeOf: (route) => places.get(route) ?? null,
    order,
    home: findHome({ pages, places }),
    redirectOf: createSafeRedirects(map.redirects, (route) => pages.has(route)),
    findOperation(reference) {
      const parsed = parseOperation(reference) ?? parseChannel(reference)
      const found = parsed && operations.find(parsed)
      return found && { spec: found.spec, method: found.operation.method, path: found.operation.path }
    },
    problems: [...(map.config?.problems ?? []), ...map.navigation.problems, ...problems, ...problemsOfTree],
    omissions,
  }
}

function listFilePages(map: SiteMap): Map<string, PageSource> {
  const pages = new Map<string, PageSource>()
  const add = (path: string) => {
    const route = map.routeOf(path)
    // Of two files with one route, the one that links lead to.
    pages.set(route, { kind: 'file', path: map.pageAt(route) ?? path })
  }
  for (const path of map.pages) add(path)
  // A file that is no page by itself, such as a README, is one if the navigation names it.
  for (const { target, kind } of map.navigation.entries) {
    const resolved = kind === 'href' ? null : map.resolveEntry(target)
    if (resolved?.kind === 'page') add(resolved.path)
  }
  return pages
}

/** The site's files, with those that the navigation alone makes pages. */
function listPaths(map: SiteMap, files: ReadonlyMap<string, PageSource>): string[] {
  const paths = new Set(map.pages)
  const count = paths.size
  for (const source of files.values()) if (source.kind === 'file') paths.add(source.path)
  return paths.size === count ? map.pages : [...paths].sort()
}

interface ReadTreeInput {
  tree: FileTree
  map: SiteMap
  files: ReadonlyMap<string, PageSource>
  operations: OperationPages
  problems: Problem[]
  omissions: Problem[]
}

interface ReadTree {
  navigation: NavigationTree
  places: ReadonlyMap<string, NavigationPlace>
}

/** What docs.json describes; where that is nothing, the folders. */
function readTree(input: ReadTreeInput): ReadTree {
  const { map, files, operations, problems } = input
  const { config } = map
  const root = config === null ? null : modernConfig(config)
  const described = root?.fields.get('navigation')
  const api = root?.fields.get('api')
  if (config !== null && described?.kind === 'object') {
    const built = buildNavigationTree({
      navigation: described,
      operations,
      specs: api?.kind === 'object' ? operations.declared(api) : [],
      routeOf(target) {
        const resolved = map.resolveEntry(target)
        return resolved.kind === 'page' ? map.routeOf(resolved.path) : null
      },
      reportUnread: (source, value) => reportUnread({ ...input, config, source, value }),
      report: (rule, value, message) => problems.push(problemAt(config, { rule, value, message })),
    })
    const places = listPlaces(built)
    if (places.size > 0) return { navigation: built, places }
  }
  const pages = [...files].flatMap(([route, source]) => (source.kind === 'file' ? [{ path: source.path, route }] : []))
  const navigation = folderNavigation(pages)
  return { navigation, places: listPlaces(navigation) }
}

/** One that does not exist is a problem of its own, which the check finds. */
function reportUnread({
  tree,
  config,
  source,
  value,
  problems,
  omissions,
}: ReadTreeInput & { config: DocsConfig; source: string; value: ConfigValue }): void {
  const entry = tree.entries.get(source)
  const add = (list: Problem[], message: string) => list.push(problemAt(config, { rule: 'navigation', value, message }))
  if (splitUrl(source).isExternal) {
    add(omissions, `The specification ${source} is not fetched, so its pages are not shown: keep it in the repository.`)
  } else if (entry && entry.size > mostFileBytes) {
    add(problems, `The specification ${source} has ${entry.size} bytes, more than the ${mostFileBytes} that are read.`)
  } else if (entry) add(problems, `${source} cannot be read as a specification, so its pages are not shown.`)
}

function problemAt(
  config: DocsConfig,
  { rule, value, message }: { rule: ProblemRule; value: ConfigValue; message: string },
): Problem {
  const key = problemKey(rule, value.file, message)
  return { rule, path: value.file, ...config.placeOf(value), message, hint: null, key }
}

/** The page at the root, else the first that the navigation shows, else any. */
function findHome({
  pages,
  places,
}: {
  pages: ReadonlyMap<string, PageSource>
  places: ReadonlyMap<string, NavigationPlace>
}): string | null {
  if (pages.has('/')) return '/'
  for (const [route, { isHidden }] of places) if (!isHidden) return route
  return places.keys().next().value ?? pages.keys().next().value ?? null
}
