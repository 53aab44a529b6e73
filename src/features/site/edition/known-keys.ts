import { createHash } from 'node:crypto'
import { type CollectedInput, type PageSource, rendererVersion, type SiteModel } from '#features/content/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { StoredPage } from './edition-writes.ts'
import type { SiteStore } from './site-store.ts'

/** What else than its file can make a page another one, wherever it stands: how pages are rendered, and what the site says. */
export function settingsKey({ settings }: SiteModel): string {
  return createHash('sha256')
    .update(JSON.stringify([rendererVersion, settings]))
    .digest('base64url')
}

/** The id of a page's file, if nothing else goes into the page: no snippet and no specification. */
export function ownFile(tree: FileTree, { path, imports, operation, source }: CollectedInput): string | undefined {
  const isAlone = operation === null && Object.keys(imports).length === 0 && !/openapi|asyncapi/i.test(source)
  return isAlone ? tree.entries.get(path)?.id : undefined
}

/**
 * What pages were made from, as the last edition knows it, for those that are the same file under the same settings: after
 * a push, most of a site need not even be read.
 */
export function createKnownKeys({
  tree,
  store,
  settings,
}: {
  tree: FileTree
  store: SiteStore
  settings: string
}): (page: PageSource) => string | null {
  const byPath = new Map<string, { file: string; key: string }>()
  for (const { source, file, key } of lastPages(store, settings)) {
    if (source.kind === 'file' && file !== undefined) byPath.set(source.path, { file, key })
  }
  return (source) => {
    const known = source.kind === 'file' ? byPath.get(source.path) : undefined
    if (source.kind !== 'file' || !known || tree.entries.get(source.path)?.id !== known.file) return null
    return store.reader().findPageId(known.key) === null ? null : known.key
  }
}

function lastPages(store: SiteStore, settings: string): StoredPage[] {
  try {
    return store.reader().findLastPages(settings) ?? []
  } catch {
    return []
  }
}
