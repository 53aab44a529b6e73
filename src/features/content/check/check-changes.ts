import type { FileTree } from '#infra/files/file-tree.ts'
import { createPageCache } from '../parse/page-cache.ts'
import type { ParsedPage } from '../parse/parse-page.ts'
import { readPages } from '../parse/read-pages.ts'
import { pageExtension } from '../site/page-extension.ts'
import type { SiteMap } from '../site/site-map.ts'
import { byPlace, type CheckOptions, checkFiles, introducedProblems, readCheckedModel } from './check.ts'
import { followImports } from './check-imports.ts'
import { anchorIn, isChecked } from './check-links.ts'
import type { CheckReport, Problem } from './problem.ts'

export interface ChangedTree {
  before: FileTree
  after: FileTree
  /** Every path whose content differs between the two. */
  changed: readonly string[]
}

/** Of the changed pages alone. */
export interface ChangesReport extends CheckReport {
  /** Exactly those problems of `after` that `introducedProblems` finds by checking both trees whole. */
  introduced: Problem[]
}

/**
 * What a change brought in, found by looking at the changed pages and what they lead to: the rest of a large site cannot
 * have got a problem as long as no path came or went, nothing changed that addresses are made from, and whoever links to
 * a changed page still finds its anchors there. Null when that is not so; then only checking both trees tells.
 */
export async function checkChanges(trees: ChangedTree, options: CheckOptions = {}): Promise<ChangesReport | null> {
  const { before, after, changed } = trees
  const { cache = createPageCache(), signal } = options
  if (changed.some((path) => !before.entries.has(path) || !after.entries.has(path))) return null
  // The same for both, as it is read from nothing that changed.
  const { map: site } = await readCheckedModel(after, cache)
  if (changed.some((path) => site.sources.has(path))) return null

  const paths = changed.filter((path) => pageExtension.test(path))
  const read = async (tree: FileTree, wanted: readonly string[]) =>
    await readPages(tree, { paths: wanted, cache, signal })
  const [old, now] = [await read(before, paths), await read(after, paths)]
  if (paths.some((path) => !keepsOthersWhole(old.get(path)!, now.get(path)!))) return null

  const pages = new Set(site.pages)
  // The same pages for both, so that a circle of imports is found at the same place in each.
  const targets = new Set([...anchorTargets({ site, pages }, old), ...anchorTargets({ site, pages }, now)])
  // Whether such a file is looked at is known only by whoever knows everything that is imported.
  if (targets.values().some((path) => !pages.has(path))) return null
  for (const path of paths) targets.delete(path)
  const check = async (tree: FileTree, files: Map<string, ParsedPage>) => {
    const shown = new Map([...files, ...(await read(tree, [...targets]))])
    const imports = await followImports(tree, shown, (wanted) => read(tree, wanted))
    return (await checkFiles({ site, imports, files, signal })).problems.sort(byPlace)
  }
  const found = await check(after, now)
  // Where there is nothing wrong, nothing was brought in.
  const introduced = found.length === 0 ? [] : introducedProblems(await check(before, old), found)
  // A snippet counts only if a page shows it.
  if (introduced.some(({ path }) => !pages.has(path))) return null
  const checked = paths.filter((path) => pages.has(path))
  const links = checked.reduce((sum, path) => sum + now.get(path)!.links.length, 0)
  return { problems: found.filter(({ path }) => pages.has(path)), introduced, pages: checked.length, links }
}

/** Whether a page that links to this one, or shows it, can have got no problem by the change. */
function keepsOthersWhole(before: ParsedPage, after: ParsedPage): boolean {
  const keepsImports =
    before.imports.length === after.imports.length &&
    before.imports.every(({ source, via }, index) => {
      const other = after.imports[index]!
      return source === other.source && via === other.via
    })
  // Where not all anchors are known, none is missed.
  const keepsAnchors =
    after.hasUnknownAnchors ||
    (!before.hasUnknownAnchors && before.anchors.values().every((anchor) => after.anchors.has(anchor)))
  return keepsImports && keepsAnchors
}

/** The pages whose anchors the links of these name. */
function anchorTargets(
  { site, pages }: { site: SiteMap; pages: ReadonlySet<string> },
  files: ReadonlyMap<string, ParsedPage>,
): Set<string> {
  const targets = new Set<string>()
  for (const [from, { links }] of files) {
    for (const link of links) {
      const target = isChecked(link, pages.has(from)) ? site.resolveLink(from, link.url) : null
      if (target?.kind === 'page' && anchorIn(target) !== null) targets.add(target.path)
    }
  }
  return targets
}
