import type { Log } from '#base/log.ts'
import type { PageRenderer } from '#features/content/service.ts'
import { type FileTree, mostFileBytes } from '#infra/files/file-tree.ts'
import { buildEdition } from './build-edition.ts'
import type { Edition } from './edition.ts'
import { createMemoryStore, type SiteStore } from './site-store.ts'
import { createStoredEdition } from './stored-edition.ts'

export interface FolderEditionInput {
  tree: FileTree
  /** Another one for every state of the folder. */
  id: string
  renderer: PageRenderer
  log: Log
  /** The edition before this one: of pages that did not change, everything is known from it. */
  before?: Edition
  signal?: AbortSignal
}

interface SharedStore {
  store: SiteStore
  users: number
}

const sharedBy = new WeakMap<Edition, SharedStore>()

/** An edition of files that are in no repository, kept in memory alone. Whoever opens it closes it, and so its tree. */
export async function openFolderEdition(input: FolderEditionInput): Promise<Edition> {
  const { tree, id, renderer, log, before, signal } = input
  const known = before && sharedBy.get(before)
  const shared = known && known.users > 0 ? known : { store: createMemoryStore(), users: 0 }
  shared.users++
  const release = () => {
    shared.users--
    if (shared.users === 0) shared.store.close()
  }
  try {
    const { store } = shared
    const { model, loaded } = await buildEdition({ name: id, tree, store, renderer, now: Date.now(), signal })
    let isClosed = false
    const edition = createStoredEdition({
      ...{ id, projectId: 'folder', model, tree, loaded, store, renderer, log },
      async readFile(path) {
        const size = tree.entries.get(path)?.size ?? 0
        return size > mostFileBytes ? null : await tree.read(path)
      },
      onLost: ({ error }) => log.warn({ err: error }, 'site.memory_lost'),
      onUse() {},
      async close() {
        if (isClosed) return
        isClosed = true
        release()
        await tree[Symbol.asyncDispose]()
      },
    })
    sharedBy.set(edition, shared)
    return edition
  } catch (error) {
    release()
    throw error
  }
}
