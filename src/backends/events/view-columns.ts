import type { Verdict, View, ViewSource } from './view.ts'

/** What views of one reader have in common. */
export interface ViewKind {
  projectId: string
  verdict: Verdict
  source: ViewSource
}

/** Many views in columns of equal length, in which texts and kinds stand once: for those who bring them by the thousand. */
export interface ViewColumns {
  kinds: readonly ViewKind[]
  texts: readonly string[]
  /** A place for each view: when, in milliseconds since 1970, */
  at: Float64Array
  /** which of `kinds`, */
  kind: Uint32Array
  /** what and from where, of `texts`; a referrer may be -1 for none, */
  path: Uint32Array
  referrer: Int32Array
  /** by whom, */
  visitor: BigUint64Array
  /** and its event id where `hasEventId` is 1. */
  eventId: BigUint64Array
  hasEventId: Uint8Array
}

/** A view as it is added to columns: kind and texts are named by the numbers that the builder gave them. */
export interface ColumnView {
  at: number
  kind: number
  path: number
  /** -1: none. */
  referrer: number
  visitor: bigint
  eventId: bigint | null
}

export interface ViewColumnsBuilder {
  /** The number of a kind, which is new or was there before. */
  kindOf(kind: ViewKind): number
  /** The number of a text likewise. */
  textOf(text: string): number
  /** Texts by their numbers. */
  readonly texts: readonly string[]
  add(view: ColumnView): void
  /** What was added. The builder is not used after this. */
  finish(): ViewColumns
}

/** Takes so many views at the most. */
export function createViewColumns(most: number): ViewColumnsBuilder {
  const kinds: ViewKind[] = []
  const texts: string[] = []
  const columns = allocate(most)
  const textIndexes = new Map<string, number>()
  const kindIndexes = new Map<Verdict, number>()
  let rows = 0

  function kindOf(kind: ViewKind): number {
    const known = kindIndexes.get(kind.verdict)
    if (known !== undefined) {
      const { projectId, source } = kinds[known]!
      if (projectId === kind.projectId && source === kind.source) return known
    }
    // One verdict is mostly of one project and one source; another one only makes another kind.
    const index = kinds.push(kind) - 1
    kindIndexes.set(kind.verdict, index)
    return index
  }

  function textOf(text: string): number {
    const known = textIndexes.get(text)
    if (known !== undefined) return known
    const index = texts.push(text) - 1
    textIndexes.set(text, index)
    return index
  }

  return {
    kindOf,
    textOf,
    texts,
    add(view) {
      columns.at[rows] = view.at
      columns.kind[rows] = view.kind
      columns.path[rows] = view.path
      columns.referrer[rows] = view.referrer
      columns.visitor[rows] = view.visitor
      if (view.eventId !== null) {
        columns.eventId[rows] = view.eventId
        columns.hasEventId[rows] = 1
      }
      rows++
    },
    finish() {
      return rows === most ? { kinds, texts, ...columns } : { kinds, texts, ...cut(columns, rows) }
    },
  }
}

function allocate(rows: number) {
  return {
    at: new Float64Array(rows),
    kind: new Uint32Array(rows),
    path: new Uint32Array(rows),
    referrer: new Int32Array(rows),
    visitor: new BigUint64Array(rows),
    eventId: new BigUint64Array(rows),
    hasEventId: new Uint8Array(rows),
  }
}

function cut(columns: ReturnType<typeof allocate>, rows: number): ReturnType<typeof allocate> {
  return {
    at: columns.at.subarray(0, rows),
    kind: columns.kind.subarray(0, rows),
    path: columns.path.subarray(0, rows),
    referrer: columns.referrer.subarray(0, rows),
    visitor: columns.visitor.subarray(0, rows),
    eventId: columns.eventId.subarray(0, rows),
    hasEventId: columns.hasEventId.subarray(0, rows),
  }
}

export function columnsOf(views: readonly View[]): ViewColumns {
  const builder = createViewColumns(views.length)
  for (const { at, path, referrer, visitor, eventId, ...kind } of views) {
    builder.add({
      at,
      kind: builder.kindOf(kind),
      path: builder.textOf(path),
      referrer: referrer === null ? -1 : builder.textOf(referrer),
      visitor,
      eventId,
    })
  }
  return builder.finish()
}

export function viewsOf({ kinds, texts, ...columns }: ViewColumns): View[] {
  return Array.from(columns.at, (at, row) => ({
    ...kinds[columns.kind[row]!]!,
    at,
    path: texts[columns.path[row]!]!,
    referrer: columns.referrer[row]! < 0 ? null : texts[columns.referrer[row]!]!,
    visitor: columns.visitor[row]!,
    eventId: columns.hasEventId[row] === 1 ? columns.eventId[row]! : null,
  }))
}
