import type { View } from '#backends/events/view.ts'
import { canonicalPath } from './canonical-path.ts'
import type { HitColumns } from './hit.ts'
import { hasRulesForPaths, type Reader, type ReaderContext, type Readers } from './reader.ts'
import { cleanReferrer } from './referrer.ts'

export interface ColumnViewsInput {
  projectId: string
  columns: HitColumns
  readers: Readers
  contextAt(at: number): ReaderContext
}

export interface ColumnViews {
  views: View[]
  /** Hits that are none. */
  notPage: number
  noVisitor: number
}

/** Makes views of the hits from one row up to another. Each path, referrer and client is looked at once for all rows. */
export function createColumnViews({ projectId, columns, readers, contextAt }: ColumnViewsInput) {
  const { texts, clients } = columns
  const pageAt = once(texts.length, (index) => canonicalPath(texts[index]!))
  const referrerAt = once(texts.length, (index) => cleanReferrer(texts[index]!))
  const known: ({ context: ReaderContext; reader: Reader } | undefined)[] = Array(clients.length)

  function readerOf(index: number, at: number, path: string): Reader {
    const context = contextAt(at)
    const found = known[index]
    if (found?.context === context) return found.reader
    const reader = readers.examine(context, clients[index]!, path)
    if (!hasRulesForPaths(context)) known[index] = { context, reader }
    return reader
  }

  return (from: number, to: number): ColumnViews => {
    const result: ColumnViews = { views: [], notPage: 0, noVisitor: 0 }
    for (let row = from; row < to; row++) {
      const client = columns.client[row]!
      const at = columns.at[row]!
      const path = pageAt(columns.path[row]!)
      if (path === null) result.notPage++
      else if (!clients[client]!.address) result.noVisitor++
      else {
        const { visitor, verdict } = readerOf(client, at, path)
        const referrer = columns.referrer[row]! < 0 ? null : referrerAt(columns.referrer[row]!)
        const { source } = clients[client]!
        result.views.push({ projectId, at, path, visitor, eventId: columns.id[row]!, verdict, referrer, source })
      }
    }
    return result
  }
}

/** `compute` for indexes below `size`, at most once for each that gives something. */
function once<T>(size: number, compute: (index: number) => T): (index: number) => T {
  const known: T[] = Array(size)
  return (index) => (known[index] ??= compute(index))
}
