import { watch } from 'node:fs'
import { messageOf } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { PageRenderer } from '#features/content/service.ts'
import type { Edition, EditionWarning } from '#features/site/edition/edition.ts'
import { openFolderEdition } from '#features/site/edition/folder-edition.ts'
import { openFolderTree } from '#infra/files/folder-tree.ts'

/** A folder as a site, which follows what somebody writes in it. */
export interface FolderSite {
  /** As the folder was when it last could be read. */
  edition(): Edition
  close(): Promise<void>
}

export interface FolderChange {
  edition: Edition
  tookMs: number
  /** Warnings that were not there before, and those that are gone. */
  appeared: EditionWarning[]
  gone: EditionWarning[]
}

export interface FolderSiteInput {
  folder: string
  renderer: PageRenderer
  log: Log
  onChange(change: FolderChange): void
  /** The folder cannot be read as it is; what was last read stays. */
  onTrouble(message: string): void
}

// Editors write a file in several steps, and tools many files.
const settleMs = 60
// Whoever was answered from an edition may still be reading it.
const graceMs = 5_000

const ignored = /(^|[/\\])(\.git|node_modules|\.DS_Store)([/\\]|$)|~$|\.sw[a-z]$/

export async function openFolderSite(input: FolderSiteInput): Promise<FolderSite> {
  const { folder, renderer, log, onChange, onTrouble } = input
  const ending = new AbortController()
  const old = new Set<Edition>()
  let count = 0
  let edition = await open()

  let timer: NodeJS.Timeout | null = null
  let updating: Promise<void> | null = null
  let isStale = false
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name !== null && ignored.test(name)) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(update, settleMs)
  })
  watcher.on('error', (error) => onTrouble(`Changes are no longer noticed: ${messageOf(error)}`))

  async function open(before?: Edition): Promise<Edition> {
    count += 1
    const tree = await openFolderTree(folder)
    const known = before ? { before } : {}
    return await openFolderEdition({ tree, id: String(count), renderer, log, signal: ending.signal, ...known })
  }

  function update(): void {
    isStale = true
    updating ??= follow().finally(() => {
      updating = null
    })
  }

  async function follow(): Promise<void> {
    while (isStale && !ending.signal.aborted) {
      isStale = false
      const startedAt = performance.now()
      try {
        replaceWith(await open(edition), startedAt)
      } catch (error) {
        if (!ending.signal.aborted) onTrouble(messageOf(error))
      }
    }
  }

  function replaceWith(next: Edition, startedAt: number): void {
    const before = edition
    edition = next
    retire(before)
    const change = compareWarnings(before.warnings, next.warnings)
    onChange({ edition: next, tookMs: performance.now() - startedAt, ...change })
  }

  function retire(one: Edition): void {
    old.add(one)
    setTimeout(() => {
      if (old.delete(one)) void one.close()
    }, graceMs).unref()
  }

  return {
    edition: () => edition,
    async close() {
      ending.abort()
      watcher.close()
      if (timer) clearTimeout(timer)
      await updating
      for (const one of [...old, edition]) await one.close()
      old.clear()
    },
  }
}

/** Lines move while one writes; a warning is the same as long as it says the same of the same file. */
export function compareWarnings(
  before: readonly EditionWarning[],
  after: readonly EditionWarning[],
): Pick<FolderChange, 'appeared' | 'gone'> {
  return { appeared: without(after, before), gone: without(before, after) }
}

function without(all: readonly EditionWarning[], others: readonly EditionWarning[]): EditionWarning[] {
  const counts = new Map<string, number>()
  for (const one of others) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return all.filter((one) => {
    const left = counts.get(keyOf(one)) ?? 0
    counts.set(keyOf(one), left - 1)
    return left <= 0
  })
}

function keyOf({ route, path, message }: EditionWarning): string {
  return JSON.stringify([route, path, message])
}
