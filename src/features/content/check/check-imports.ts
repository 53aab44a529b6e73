import type { FileTree } from '#infra/files/file-tree.ts'
import { findImport, importPlaces, isFileImport } from '../parse/import-path.ts'
import type { PageImport, ParsedPage } from '../parse/parse-page.ts'
import { pageExtension } from '../site/page-extension.ts'
import { type Problem, problemKey } from './problem.ts'

/** Pages with the snippets that they show, and what imports what. */
export interface ImportGraph {
  /** Every page, and every snippet that is reached from one. */
  files: Map<string, ParsedPage>
  /** The imports of each file with the file they lead to; null when there is none. */
  importsOf: Map<string, { one: PageImport; target: string | null; suggestion: string | null }[]>
}

export async function followImports(
  tree: FileTree,
  pages: Map<string, ParsedPage>,
  read: (paths: string[]) => Promise<Map<string, ParsedPage>>,
): Promise<ImportGraph> {
  const files = new Map(pages)
  const importsOf: ImportGraph['importsOf'] = new Map()
  const findFile = createFileFinder(tree)
  for (let fresh = pages; fresh.size > 0; ) {
    const wanted = new Set<string>()
    for (const [path, { imports }] of fresh) {
      const resolved = imports.filter(isFileImport).map((one) => ({ one, ...findFile(path, one) }))
      if (resolved.length > 0) importsOf.set(path, resolved)
      for (const { target } of resolved) {
        if (target !== null && pageExtension.test(target) && !files.has(target)) wanted.add(target)
      }
    }
    fresh = await read([...wanted])
    for (const [path, page] of fresh) files.set(path, page)
  }
  return { files, importsOf }
}

function createFileFinder(tree: FileTree) {
  let byLowerCase: Map<string, string> | null = null
  let byName: Map<string, string[]> | null = null
  return (from: string, one: PageImport): { target: string | null; suggestion: string | null } => {
    const target = findImport(tree, from, one)
    if (target !== null) return { target, suggestion: null }
    if (byLowerCase === null || byName === null) {
      byLowerCase = new Map()
      byName = new Map()
      for (const path of tree.entries.keys()) {
        byLowerCase.set(path.toLowerCase(), path)
        const name = nameOf(path)
        byName.set(name, [...(byName.get(name) ?? []), path].slice(0, 2))
      }
    }
    const namesakes = byName.get(nameOf(one.source)) ?? []
    const similar = importPlaces(from, one)
      .map((place) => byLowerCase!.get(place.toLowerCase()))
      .find((path) => path !== undefined)
    const suggestion = similar ?? (namesakes.length === 1 ? namesakes[0]! : null)
    return { target: null, suggestion: suggestion === null ? null : `/${suggestion}` }
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

export function checkImports({ files, importsOf }: ImportGraph): Problem[] {
  const problems: Problem[] = []
  for (const [path, imports] of importsOf) {
    for (const { one, target, suggestion } of imports) {
      if (target !== null) continue
      const { line, column, source } = one
      const hint = suggestion === null ? null : `Did you mean ${suggestion}?`
      const message = `Imports ${source}, which does not exist.`
      problems.push({ rule: 'snippet', path, line, column, message, hint, key: problemKey('snippet', path, source) })
    }
  }
  return [...problems, ...findCycles({ files, importsOf })]
}

function findCycles({ files, importsOf }: ImportGraph): Problem[] {
  const problems: Problem[] = []
  const state = new Map<string, 'open' | 'done'>()
  for (const start of files.keys()) {
    if (state.has(start)) continue
    // A stack of our own: a chain of imports may be as long as there are files.
    const open = [{ path: start, next: 0 }]
    state.set(start, 'open')
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const step = importsOf.get(top.path)?.[top.next++]
      if (!step) {
        state.set(top.path, 'done')
        open.pop()
      } else if (step.target !== null && files.has(step.target)) {
        const target = step.target
        if (state.get(target) === 'open') {
          const { line, column, source } = step.one
          const message =
            target === top.path
              ? 'Imports itself, so it would never end.'
              : `Imports ${source}, which imports this file again, so it would never end.`
          const key = problemKey('snippet', top.path, `cycle ${target}`)
          problems.push({ rule: 'snippet', path: top.path, line, column, message, hint: null, key })
        } else if (!state.has(target)) {
          state.set(target, 'open')
          open.push({ path: target, next: 0 })
        }
      }
    }
  }
  return problems
}

/** Anchors of a page with those of the snippets that it shows. */
export function createAnchorFinder({ files, importsOf }: ImportGraph) {
  /** True, false, or null when the page may have anchors that are not known. */
  return (path: string, isWanted: (anchors: ReadonlySet<string>) => boolean): boolean | null => {
    const seen = new Set([path])
    let isKnown = true
    for (const file of seen) {
      const page = files.get(file)
      if (!page || page.hasUnknownAnchors) isKnown = false
      if (page && isWanted(page.anchors)) return true
      for (const { target } of importsOf.get(file) ?? []) {
        if (target !== null && pageExtension.test(target)) seen.add(target)
      }
    }
    return isKnown ? false : null
  }
}
