import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { joinPath, type PageRenderer } from '#features/content/service.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import { readFileAt } from '#infra/files/git-tree.ts'
import { createBackground } from './background.ts'
import { buildEdition, ensureReadable, keepPages } from './build-edition.ts'
import type { Edition } from './edition.ts'
import { editionName } from './edition-name.ts'
import { findTimes, learnTimes } from './edition-times.ts'
import { openIdleGitTree } from './idle-git-tree.ts'
import { type SharedBuild, startSharedBuild } from './shared-build.ts'
import { isDamage, siteFilePath } from './site-file.ts'
import { createFileStore, type SiteStore } from './site-store.ts'
import { createSiteWriter } from './site-writer.ts'
import { sourceFile } from './source-file.ts'
import { createStoredEdition, type StoredEdition } from './stored-edition.ts'

/** The editions that are in memory. What is worked out of one is kept in the data folder, so the next start is quick. */
export interface Editions {
  /**
   * The edition of a commit, built if it is not there yet: pages that did not change since another one cost nothing.
   * Callers share it; it is closed when nobody used it for long. Throws what reading the repository throws.
   */
  open(input: OpenEdition): Promise<Edition>
  /** Forgets a project, and what is kept of it. */
  remove(projectId: string): Promise<void>
  close(): Promise<void>
}

export interface OpenEdition {
  projectId: string
  gitDir: string
  commit: string
  docsPath: string
  signal?: AbortSignal
  onProgress?(progress: { done: number; total: number }): void
}

export interface EditionsDeps {
  /** Where what is worked out is kept: a file a project. */
  folder: string
  renderer: PageRenderer
  gitCache: GitCache
  clock: Clock
  log: Log
}

interface OpenedEdition {
  edition: StoredEdition
  name: string
  usedAt: number
  /** When the file was last told that somebody has it. */
  touchedAt: number
}

// Opening one again takes some milliseconds, and a site of 1,000 pages has some megabytes in memory.
const idleMs = 15 * 60_000
const sweepMs = 60_000
const mostOpen = 100
// Well within the hour in which others leave alone what is used.
const touchMs = 20 * 60_000
// What cannot be mended is not tried on every request.
const renewMs = 10_000
// Videos and archives. What is larger belongs elsewhere.
const mostAssetBytes = 25_000_000

export function createEditions({ folder, renderer, gitCache, clock, log }: EditionsDeps): Editions {
  const writer = createSiteWriter()
  const stores = new Map<string, SiteStore>()
  const opened = new Map<string, OpenedEdition>()
  // Also those that somebody else still holds: what they stand in must not be let go.
  const alive = new Map<string, WeakRef<OpenedEdition>>()
  const building = new Map<string, SharedBuild<Edition>>()
  const ending = new AbortController()
  const now = () => clock.now().getTime()
  const isWanted = (projectId: string) => !ending.signal.aborted && stores.has(projectId)
  const background = createBackground({ log, isWanted })
  const sweep = setInterval(closeIdle, sweepMs).unref()

  function storeOf(projectId: string): SiteStore {
    const known = stores.get(projectId) ?? createFileStore({ path: siteFilePath(folder, projectId), writer })
    stores.set(projectId, known)
    return known
  }

  function closeIdle(): void {
    const ordered = [...opened].sort(([, a], [, b]) => b.usedAt - a.usedAt)
    for (const [index, [key, { usedAt }]] of ordered.entries()) {
      if (index >= mostOpen || usedAt < now() - idleMs) opened.delete(key)
    }
    for (const own of held()) touch(own)
  }

  function held(): OpenedEdition[] {
    const found: OpenedEdition[] = []
    for (const [key, reference] of alive) {
      const own = reference.deref()
      if (own) found.push(own)
      else alive.delete(key)
    }
    return found
  }

  async function build(
    input: OpenEdition,
    { signal, onProgress }: { signal: AbortSignal; onProgress: NonNullable<OpenEdition['onProgress']> },
  ): Promise<Edition> {
    const { projectId, gitDir, commit, docsPath } = input
    const store = storeOf(projectId)
    const name = editionName(input)
    const tree = await openIdleGitTree({ gitDir, commit, root: docsPath, cache: gitCache })
    signal.throwIfAborted()
    const shared = { name, tree, store, renderer }
    const { model, loaded, isNew } = await buildEdition({ ...shared, now: now(), signal, onProgress })
    signal.throwIfAborted()
    const edition = createStoredEdition({
      ...{ id: commit, projectId, model, tree, loaded, store, renderer, log },
      async readFile(path) {
        const size = tree.entries.get(path)?.size ?? 0
        if (size > mostAssetBytes) return null
        if (size <= mostFileBytes) return await tree.read(path)
        return await readFileAt(gitDir, { commit, path: joinPath(docsPath, path) ?? '', mostBytes: mostAssetBytes })
      },
      onUse() {
        own.usedAt = now()
        touch(own)
      },
      onLost: ({ error, fileId }) => renew({ error, fileId }),
      // Others may have it too; it lets go of what it holds by itself.
      async close() {},
    })
    const own: OpenedEdition = { edition, name, usedAt: now(), touchedAt: isNew ? now() : 0 }

    function renew({ error, fileId }: { error: unknown; fileId: string }): void {
      log.warn({ err: error, projectId, commit }, 'site.file_lost')
      background.add({ projectId, lane: 'files', event: 'site.renew_failed' }, async () => {
        try {
          if (!isDamage(error)) store.close()
          else if (fileIdOf(store) === fileId || fileIdOf(store) === null) await store.renew()
          await ensureReadable(store)
          edition.replace((await keepPages({ ...shared, model, now: now(), signal: ending.signal })).loaded)
        } catch (err) {
          setTimeout(() => renew({ error, fileId }), renewMs).unref()
          throw err
        }
      })
    }

    touch(own)
    opened.set(keyOf(input), own)
    alive.set(keyOf(input), new WeakRef(own))
    const times = findTimes(store, name)
    if (times) edition.setTimes(times)
    else {
      background.add({ projectId, lane: 'history', event: 'site.times_failed' }, async () => {
        const paths = new Set([...model.pages.values()].map(sourceFile))
        edition.setTimes(await learnTimes({ gitDir, commit, docsPath, paths, store, signal: ending.signal }))
      })
    }
    if (isNew) {
      const what = { projectId, lane: 'files', event: 'site.prune_failed' } as const
      background.add(what, () => prune(projectId, store))
    }
    return edition
  }

  function touch(own: OpenedEdition): void {
    if (now() - own.touchedAt < touchMs) return
    own.touchedAt = now()
    const store = stores.get(own.edition.projectId)
    store?.write('touchEdition', { name: own.name, now: now() }).catch(() => {})
  }

  async function prune(projectId: string, store: SiteStore): Promise<void> {
    let hasMore = true
    while (hasMore && !ending.signal.aborted) {
      const inUse = held().filter(({ edition }) => edition.projectId === projectId)
      hasMore = await store.write('prune', { inUse: inUse.map(({ name }) => name), now: now() })
    }
  }

  return {
    async open(input) {
      if (ending.signal.aborted) throw closed()
      input.signal?.throwIfAborted()
      const key = keyOf(input)
      const known = opened.get(key) ?? alive.get(key)?.deref()
      if (known) {
        known.usedAt = now()
        opened.set(key, known)
        return known.edition
      }
      let shared = building.get(key)
      if (!shared) {
        const started: SharedBuild<Edition> = startSharedBuild(
          (context) => build(input, context),
          () => building.get(key) === started && building.delete(key),
        )
        shared = started
        building.set(key, shared)
      }
      return await shared.join(input)
    },

    async remove(projectId) {
      const own = [...building].filter(([key]) => key.startsWith(`${projectId} `))
      for (const [, shared] of own) shared.abort(removed())
      await Promise.all(own.map(([, { settled }]) => settled))
      for (const key of [...alive.keys()]) {
        if (!key.startsWith(`${projectId} `)) continue
        opened.delete(key)
        alive.delete(key)
      }
      const store = storeOf(projectId)
      stores.delete(projectId)
      await store.remove()
    },

    async close() {
      clearInterval(sweep)
      const running = [...building.values()]
      ending.abort(closed())
      for (const shared of running) shared.abort(closed())
      await Promise.all([...running.map(({ settled }) => settled), background.settled()])
      for (const { edition } of held()) await edition.tree[Symbol.asyncDispose]()
      opened.clear()
      for (const store of stores.values()) store.close()
      await writer.close()
    },
  }
}

function keyOf({ projectId, commit, docsPath }: OpenEdition): string {
  return `${projectId} ${commit} ${docsPath}`
}

/** Of the file that is there now; null when it cannot be read. */
function fileIdOf(store: SiteStore): string | null {
  try {
    return store.reader().fileId
  } catch {
    return null
  }
}

function closed(): DocentError {
  return new DocentError('unavailable', 'site.closed', 'The server is stopping. Try again later.')
}

function removed(): DocentError {
  return new DocentError('not_found', 'site.removed', 'The project was deleted.')
}
