import { createViewColumns, type ViewColumns } from '#backends/events/view-columns.ts'
import { canonicalPath } from './canonical-path.ts'
import type { HitColumns } from './hit.ts'
import { hasRulesForPaths, type ReaderContext, type Readers } from './reader.ts'
import { cleanReferrer } from './referrer.ts'

export interface ColumnViewsInput {
  projectId: string
  columns: HitColumns
  readers: Readers
  contextAt(at: number): ReaderContext
}

/** Makes views of hits. Each path, referrer and client is looked at once for all rows. */
export interface ColumnViews {
  /** Takes the rows from one up to another. */
  take(from: number, to: number): void
  /** Of the rows that were taken. */
  counts: { accepted: number; notPage: number; noVisitor: number }
  finish(): ViewColumns
}

interface KnownReader {
  context: ReaderContext
  visitor: bigint
  kind: number
}

const none = -1

export function createColumnViews({ projectId, columns, readers, contextAt }: ColumnViewsInput): ColumnViews {
  const { texts, clients } = columns
  const views = createViewColumns(columns.at.length)
  const numberOf = (text: string | null) => (text === null ? none : views.textOf(text))
  const pageAt = once(texts.length, (index) => numberOf(canonicalPath(texts[index]!)))
  const referrerAt = once(texts.length, (index) => numberOf(cleanReferrer(texts[index]!)))
  const known: (KnownReader | undefined)[] = Array(clients.length)
  const counts = { accepted: 0, notPage: 0, noVisitor: 0 }

  function readerOf(index: number, at: number, path: number): KnownReader {
    const context = contextAt(at)
    const found = known[index]
    if (found?.context === context) return found
    const client = clients[index]!
    const { visitor, verdict } = readers.find(context, client, views.texts[path]!)
    const reader = { context, visitor, kind: views.kindOf({ projectId, verdict, source: client.source }) }
    if (!hasRulesForPaths(context)) known[index] = reader
    return reader
  }

  return {
    counts,
    take(from, to) {
      for (let row = from; row < to; row++) {
        const client = columns.client[row]!
        const at = columns.at[row]!
        const path = pageAt(columns.path[row]!)
        if (path === none) counts.notPage++
        else if (!clients[client]!.address) counts.noVisitor++
        else {
          const { visitor, kind } = readerOf(client, at, path)
          const referrer = columns.referrer[row]! < 0 ? none : referrerAt(columns.referrer[row]!)
          views.add({ at, kind, path, referrer, visitor, eventId: columns.id[row]! })
          counts.accepted++
        }
      }
    },
    finish: views.finish,
  }
}

const unknown = -2

/** `compute`, which gives no number below -1, at most once for each of the indexes below `size`. */
function once(size: number, compute: (index: number) => number): (index: number) => number {
  const known = new Int32Array(size).fill(unknown)
  return (index) => {
    const found = known[index]!
    if (found !== unknown) return found
    const value = compute(index)
    known[index] = value
    return value
  }
}
