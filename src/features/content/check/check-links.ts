import { setImmediate } from 'node:timers/promises'
import { closest } from '#base/closest.ts'
import { looseAnchor } from '../parse/heading-slug.ts'
import type { PageLink, ParsedPage } from '../parse/parse-page.ts'
import type { LinkTarget, SiteMap } from '../site/site-map.ts'
import { createAnchorFinder, type ImportGraph } from './check-imports.ts'
import { type Problem, problemKey } from './problem.ts'

export interface CheckLinksInput {
  site: SiteMap
  imports: ImportGraph
  /** Those of the imports' files whose links are looked at. */
  files: ReadonlyMap<string, ParsedPage>
  signal?: AbortSignal | undefined
}

// Others on the same event loop wait no longer than this for their turn.
const turnMs = 10
const mostCompared = 300

/** Links of pages, and of the snippets that pages show, to what is not there. */
export async function checkLinks({ site, imports, files, signal }: CheckLinksInput): Promise<Problem[]> {
  const problems: Problem[] = []
  const pages = new Set(site.pages)
  const findAnchor = createAnchorFinder(imports)
  const loosely = new WeakMap<ReadonlySet<string>, Set<string>>()
  let turnEnds = performance.now() + turnMs
  for (const [path, { links }] of files) {
    const isPage = pages.has(path)
    for (const link of links) {
      if (!isChecked(link, isPage)) continue
      const problem = checkLink(path, link)
      if (problem) problems.push(problem)
      if (performance.now() > turnEnds) {
        await setImmediate()
        signal?.throwIfAborted()
        turnEnds = performance.now() + turnMs
      }
    }
  }
  return problems

  function checkLink(path: string, link: PageLink): Problem | null {
    const { line, column, target: written } = link
    const target = site.resolveLink(path, link.url)
    const found = (rule: 'link' | 'anchor', message: string, hint: string | null): Problem => {
      return { rule, path, line, column, message, hint, key: problemKey(rule, path, link.url) }
    }
    if (target.kind === 'missing') {
      if (target.redirectedTo !== null) {
        return found('link', `${written} is redirected to ${target.redirectedTo}, which does not exist.`, null)
      }
      const hint = target.suggestion === null ? null : `Did you mean ${target.suggestion}?`
      return found('link', `${describe(link)} ${written} leads to nothing.`, hint)
    }
    if (target.kind === 'page' && !pages.has(target.path)) {
      return found('link', `${describe(link)} ${written} leads to ${target.path}, which is no page of the site.`, null)
    }
    const anchor = anchorIn(target)
    if (target.kind !== 'page' || anchor === null) return null
    const isThere = findAnchor(target.path, (anchors) => anchors.has(anchor) || hasLoosely(anchors, anchor))
    if (isThere !== false) return null
    const where = target.path === path ? 'this page' : target.path
    const hint = suggestAnchor(target.path, anchor)
    return found('anchor', `There is no heading #${anchor} on ${where}.`, hint && `Did you mean #${hint}?`)
  }

  /** A page of thousands of headings may have thousands of links to them. */
  function hasLoosely(anchors: ReadonlySet<string>, anchor: string): boolean {
    let loose = loosely.get(anchors)
    if (!loose) {
      loose = new Set([...anchors].map(looseAnchor))
      loosely.set(anchors, loose)
    }
    return loose.has(looseAnchor(anchor))
  }

  function suggestAnchor(path: string, anchor: string): string | null {
    const anchors = imports.files.get(path)?.anchors ?? new Set()
    return closest(anchor, [...anchors].slice(0, mostCompared))
  }
}

function describe({ kind, url }: PageLink): string {
  const isImage = kind === 'image' || (kind === 'attribute' && /\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i.test(url))
  return isImage ? 'The image' : 'The link'
}

/** A snippet's relative addresses and its `#…` depend on the page that shows it. */
export function isChecked({ kind, url }: PageLink, isPage: boolean): boolean {
  return kind !== 'import' && (isPage || url.startsWith('/'))
}

/** What a page must have for a link to lead where it says; null when any page will do, or it is none. */
export function anchorIn(target: LinkTarget): string | null {
  if (target.kind !== 'page' || target.anchor === null) return null
  const { anchor } = target
  // Browsers know these on every page.
  const isEverywhere = anchor === '' || anchor.toLowerCase() === 'top' || anchor.startsWith(':~:')
  return isEverywhere ? null : anchor
}
