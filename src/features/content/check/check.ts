import type { FileTree } from '#infra/files/file-tree.ts'
import { createPageCache, type PageCache } from '../parse/page-cache.ts'
import { readPages } from '../parse/read-pages.ts'
import { readSiteModel, type SiteModel } from '../site/site-model.ts'
import { checkConfig } from './check-config.ts'
import { checkImports, followImports } from './check-imports.ts'
import { type CheckLinksInput, checkLinks } from './check-links.ts'
import { type CheckReport, type Problem, problemKey } from './problem.ts'

export interface CheckOptions {
  /** Shared between checks of trees that have most files in common. */
  cache?: PageCache
  /** Stops with the signal's reason. */
  signal?: AbortSignal
  onProgress?(progress: { done: number; total: number }): void
}

/** Finds what a reader of these docs would stumble over. */
export async function checkDocs(tree: FileTree, options: CheckOptions = {}): Promise<CheckReport> {
  const { cache = createPageCache(), signal, onProgress } = options
  const model = await readCheckedModel(tree, cache)
  const { map: site } = model
  let done = 0
  const onPages = (count: number) => {
    done += count
    onProgress?.({ done, total: site.pages.length })
  }
  const pages = await readPages(tree, { paths: site.pages, cache, signal, onPages })
  const imports = await followImports(tree, pages, (paths) => readPages(tree, { paths, cache, signal }))

  const { problems, links } = await checkFiles({ site, imports, files: imports.files, signal })
  problems.push(...checkConfig(tree, model))
  return { problems: problems.sort(byPlace), pages: pages.size, links }
}

/** The site as it is served. */
export function readCheckedModel(tree: FileTree, { outline }: PageCache): Promise<SiteModel> {
  return readSiteModel(tree, { outline, needsAllSpecs: false })
}

/** The problems of some of the imports' files, in no order, and how many links they have. */
export async function checkFiles(input: CheckLinksInput): Promise<{ problems: Problem[]; links: number }> {
  const { imports, files } = input
  const problems: Problem[] = []
  let links = 0
  for (const [path, page] of files) {
    for (const { subject, ...problem } of page.problems) {
      problems.push({ ...problem, path, key: problemKey(problem.rule, path, subject) })
    }
    links += page.links.length
  }
  for (const problem of checkImports(imports)) if (files.has(problem.path)) problems.push(problem)
  for (const problem of await checkLinks(input)) problems.push(problem)
  return { problems, links }
}

/** The problems of `after` that `before` does not have; as often as it has more of them. */
export function introducedProblems(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const left = new Map<string, number>()
  for (const { key } of before) left.set(key, (left.get(key) ?? 0) + 1)
  return after.filter(({ key }) => {
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0
  })
}

export function byPlace(a: Problem, b: Problem): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
