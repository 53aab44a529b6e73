import { encodeColumn } from './number-column.ts'
import type { ImportedViews } from './schema.ts'

/** A view as a log tells it, and its client as far as it tells that. */
export interface LogView {
  at: number
  path: string
  referrer: string | null
  address: string
  userAgent: string | null
  accept: string | null | undefined
  acceptLanguage: string | null | undefined
}

/** Gathers views and gives them as columns in which each text stands once. */
export interface BatchBuilder {
  add(view: LogView): void
  readonly rows: number
  /** Characters of all distinct texts, which is nearly all that a batch can be large by. */
  readonly textLength: number
  /** What was gathered; the builder is empty afterwards. */
  take(): ViewsWithoutIds
}

/** A batch whose ids are still being made. */
export type ViewsWithoutIds = Omit<ImportedViews, 'views'> & { views: Omit<ImportedViews['views'], 'id'> }

/** `ids` has two words for each view, the low one first. */
export function withIds({ views, ...batch }: ViewsWithoutIds, ids: Int32Array): ImportedViews {
  return { ...batch, views: { ...views, id: encodeColumn(ids) } }
}

/** In place of a text's index. Of a request: it had none. */
export const absent = -1
/** Of a log: it does not tell. */
export const untold = -2

export function createBatchBuilder(mostRows: number): BatchBuilder {
  const texts = createTexts()
  const clients = createClients(mostRows, texts)
  const at = new Uint32Array(2 * mostRows)
  const client = new Int32Array(mostRows)
  const path = new Int32Array(mostRows)
  const referrer = new Int32Array(mostRows)
  let rows = 0

  return {
    add(view) {
      at[2 * rows] = view.at
      at[2 * rows + 1] = view.at / 2 ** 32
      client[rows] = clients.indexOf(view)
      path[rows] = texts.indexOf(view.path)
      referrer[rows] = texts.indexOf(view.referrer)
      rows++
    },
    get rows() {
      return rows
    },
    get textLength() {
      return texts.length()
    },
    take() {
      const batch = {
        clients: clients.take(),
        texts: texts.take(),
        views: {
          at: encodeColumn(at.subarray(0, 2 * rows)),
          client: encodeColumn(client.subarray(0, rows)),
          path: encodeColumn(path.subarray(0, rows)),
          referrer: encodeColumn(referrer.subarray(0, rows)),
        },
      }
      rows = 0
      return batch
    },
  }
}

type Texts = ReturnType<typeof createTexts>

/** Distinct texts, by their indexes. */
function createTexts() {
  let texts: string[] = []
  let indexes = new Map<string, number>()
  let length = 0
  return {
    /** The index of a text, which is new or was there before. */
    indexOf(text: string | null | undefined): number {
      if (text === null) return absent
      if (text === undefined) return untold
      const known = indexes.get(text)
      if (known !== undefined) return known
      const index = texts.push(text) - 1
      indexes.set(text, index)
      length += text.length
      return index
    },
    at: (index: number) => (index === absent ? null : index === untold ? undefined : texts[index]),
    /** Adds one that is not there yet. */
    add(text: string): number {
      length += text.length
      return texts.push(text) - 1
    },
    length: () => length,
    take(): string[] {
      const taken = texts
      texts = []
      indexes = new Map()
      length = 0
      return taken
    },
  }
}

const mostCompared = 16

/** Distinct clients, as columns. */
function createClients(mostRows: number, texts: Texts) {
  const address = new Int32Array(mostRows)
  const userAgent = new Int32Array(mostRows)
  const accept = new Int32Array(mostRows)
  const acceptLanguage = new Int32Array(mostRows)
  /** The newest client of each address, and of each client the one before it there. */
  let newestAt = new Map<string, number>()
  const before = new Int32Array(mostRows)
  let count = 0

  function isSame(index: number, view: LogView): boolean {
    return (
      texts.at(userAgent[index]!) === view.userAgent &&
      texts.at(accept[index]!) === view.accept &&
      texts.at(acceptLanguage[index]!) === view.acceptLanguage
    )
  }

  return {
    /** By address, which is short, and then by comparing: one lookup in place of one for each text. */
    indexOf(view: LogView): number {
      const newest = newestAt.get(view.address)
      let compared = 0
      // Many clients behind one address: the search through them must not become the work itself.
      for (let index = newest ?? -1; index !== -1 && compared < mostCompared; index = before[index]!) {
        if (isSame(index, view)) return index
        compared++
      }
      newestAt.set(view.address, count)
      before[count] = newest ?? -1
      address[count] = newest === undefined ? texts.add(view.address) : address[newest]!
      userAgent[count] = texts.indexOf(view.userAgent)
      accept[count] = texts.indexOf(view.accept)
      acceptLanguage[count] = texts.indexOf(view.acceptLanguage)
      return count++
    },
    take(): ImportedViews['clients'] {
      const headerOf = (column: Int32Array) =>
        column.subarray(0, count).some((index) => index !== untold) ? encodeColumn(column.subarray(0, count)) : null
      const [accepts, languages] = [headerOf(accept), headerOf(acceptLanguage)]
      const taken = {
        address: encodeColumn(address.subarray(0, count)),
        userAgent: encodeColumn(userAgent.subarray(0, count)),
        ...(accepts === null ? {} : { accept: accepts }),
        ...(languages === null ? {} : { acceptLanguage: languages }),
      }
      newestAt = new Map()
      count = 0
      return taken
    },
  }
}
