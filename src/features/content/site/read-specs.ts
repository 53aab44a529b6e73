import { type FileTree, mostFileBytes } from '#infra/files/file-tree.ts'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import { parseOperation, readUses } from './operation-pages.ts'
import type { SiteMap } from './site-map.ts'
import type { SiteSettings } from './site-settings.ts'

export interface ReadSpecsOptions {
  map: SiteMap
  api: Pick<SiteSettings['api'], 'openapi' | 'asyncapi'>
  outline(spec: { path: string; id: string; text: string }): Promise<SpecOutline | null>
  /** Else those that nothing names are read only if the navigation may mean one of them. */
  needsAll: boolean
}

// Repositories hold data in JSON too, of which none is read for nothing beyond this.
const mostLookedAt = 200
const mostBytesLookedAt = 30_000_000
const specification = /(?:^|[\s{,])["']?(?:openapi|swagger|asyncapi)["']?\s*:\s*["']?\d/

/**
 * The specifications of a site, by path: those that its configuration names, in that order, then all others that lie
 * beside its pages, as `openapi: GET /x` on a page may mean any.
 */
export async function readSpecs(tree: FileTree, options: ReadSpecsOptions): Promise<Map<string, SpecOutline>> {
  const { map, outline } = options
  const needsAll = options.needsAll || map.navigation.operations.length > 0
  const named = new Set(namedSources(options).filter((path) => tree.entries.has(path)))
  const found: { path: string; id: string; text: string }[] = []
  let bytes = 0
  for (const path of [...named, ...(needsAll ? listCandidates(tree, map, named) : [])]) {
    const { size, id } = tree.entries.get(path)!
    if (size > mostFileBytes) continue
    if (!named.has(path)) {
      bytes += size
      if (bytes > mostBytesLookedAt) break
    }
    const text = (await tree.read(path).catch(() => null))?.toString('utf8') ?? ''
    if (specification.test(text)) found.push({ path, id, text })
  }
  const outlines = await Promise.all(found.map((spec) => outline(spec)))
  const specs = new Map<string, SpecOutline>()
  for (const [index, { path }] of found.entries()) {
    const one = outlines[index]
    if (one) specs.set(path, one)
  }
  return specs
}

function namedSources({ map, api }: ReadSpecsOptions): string[] {
  const uses = [
    ...map.navigation.generated.map(({ source }) => source),
    ...api.openapi,
    ...api.asyncapi,
    ...new Set(map.navigation.operations.flatMap((entry) => parseOperation(entry.target)?.source ?? [])),
  ]
  const place = { file: '', start: 0, end: 0 }
  return uses.flatMap((value) => readUses({ kind: 'scalar', value, ...place }).map(({ source }) => source))
}

function listCandidates(tree: FileTree, map: SiteMap, named: ReadonlySet<string>): string[] {
  const candidates = [...tree.entries.keys()].filter(
    (path) =>
      /\.(?:json|ya?ml)$/i.test(path) &&
      !named.has(path) &&
      !map.isIgnored(path) &&
      !/(?:^|\/)(?:\.|node_modules\/|package(?:-lock)?\.json$|tsconfig\.json$)/.test(path) &&
      !map.config?.files.has(path),
  )
  const isLikely = (path: string) => /open-?api|swagger|async-?api|spec|api/i.test(path)
  return [...candidates.filter(isLikely), ...candidates.filter((path) => !isLikely(path))].slice(0, mostLookedAt)
}
