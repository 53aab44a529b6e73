import type { PageImport, ParsedPage } from '../parse/parse-page.ts'
import { folderOf, joinPath } from '../site/docs-config.ts'
import type { SiteMap } from '../site/site-map.ts'
import { splitUrl } from '../site/split-url.ts'
import type { DocsTree } from './docs-tree.ts'

/** The tree at one moment, and its site. */
export interface Site {
  files: DocsTree['entries']
  map: SiteMap
}

/** Something on a page that names a file, with the place of the name. */
export interface Reference {
  /** As written. */
  target: string
  url: string
  start: number
  end: number
  via: 'link' | PageImport['via']
}

export function referencesOf({ links, imports }: ParsedPage): Reference[] {
  return [
    ...links.filter(({ kind }) => kind !== 'import').map((link) => ({ ...link, via: 'link' as const })),
    ...imports.map((one) => ({ ...one, target: one.source, url: one.source })),
  ]
}

export interface ResolvedTarget {
  /** The file of the docs that is meant. */
  file: string
  /** Folder that the path starts at: the root's is ''. */
  base: string
  /** What the name leaves out at its end, beside what an address leaves out anyway. */
  omitted: string
}

/**
 * The file that something on the page `from` names by itself, without the help of a redirect; null for other sites, for
 * anchors alone, and for nothing at all.
 */
export function resolveReference(site: Site, from: string, { url, via }: Pick<Reference, 'url' | 'via'>) {
  return via === 'link' ? resolveLink(site, from, url) : resolveImport(site, from, { source: url, via })
}

function resolveLink({ files, map }: Site, from: string, url: string): ResolvedTarget | null {
  const { path, isExternal } = splitUrl(url)
  if (isExternal || path === '') return null
  // A path without a dot or slash before it is written both ways: beside the page, and from the root.
  const bases = path.startsWith('/') ? [''] : /^\.\.?(\/|$)/.test(path) ? [folderOf(from)] : [folderOf(from), '']
  for (const base of bases) {
    const joined = joinPath(base, path)
    if (joined === null) continue
    const file = map.pageAt(joined) ?? (files.has(joined) ? joined : null)
    if (file !== null) return { file, base, omitted: '' }
  }
  return null
}

const importExtensions = [
  '',
  '.mdx',
  '.md',
  '.jsx',
  '.tsx',
  '.js',
  '.ts',
  '.json',
  '/index.mdx',
  '/index.jsx',
  '/index.js',
]

function resolveImport(
  { files }: Site,
  from: string,
  { source, via }: { source: string; via: PageImport['via'] },
): ResolvedTarget | null {
  // `react` and the like are not ours.
  if (via === 'statement' && !/^\.{0,2}\/|\.\w+$/.test(source)) return null
  const bases = [folderOf(from), ...(/^[./]/.test(source) ? [] : [''])]
  if (via === 'element') bases.unshift('snippets', '_snippets')
  for (const base of source.startsWith('/') ? [''] : bases) {
    const joined = joinPath(base, source)
    if (joined === null) continue
    const omitted = importExtensions.find((extension) => files.has(joined + extension))
    if (omitted !== undefined) return { file: joined + omitted, base, omitted }
  }
  return null
}
