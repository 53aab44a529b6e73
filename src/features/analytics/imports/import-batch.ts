import { type ByteTexts, createByteTexts } from './byte-texts.ts'
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

/** A view whose texts are in the batch already, by their numbers; below 0 where there is none. */
export interface NumberedView {
  at: number
  path: number
  referrer: number
  address: number
  userAgent: number
  accept: number
  acceptLanguage: number
}

/** Gathers views and gives them as columns in which each text stands once. */
export interface BatchBuilder {
  add(view: LogView): void
  addNumbered(view: NumberedView): void
  /** The texts of this batch. */
  readonly texts: Pick<ByteTexts, 'numberOf' | 'numberOfText'>
  readonly rows: number
  /** Bytes of all distinct texts, which is nearly all that a batch can be large by. */
  readonly textBytes: number
  /** What was gathered; the builder is empty afterwards, and its texts have other numbers. */
  take(): ViewsWithoutIds
}

/** A batch whose ids are still being made. */
export type ViewsWithoutIds = Omit<ImportedViews, 'views'> & { views: Omit<ImportedViews['views'], 'id'> }

/** `ids` has two words for each view, the low one first. */
export function withIds({ views, ...batch }: ViewsWithoutIds, ids: Int32Array): ImportedViews {
  return { ...batch, views: { ...views, id: encodeColumn(ids) } }
}

/** In place of a text's number. Of a request: it had none. */
export const absent = -1
/** Of a log: it does not tell. */
export const untold = -2

export function createBatchBuilder(mostRows: number): BatchBuilder {
  const texts = createByteTexts()
  const clients = createClients(mostRows)
  const at = new Uint32Array(2 * mostRows)
  const client = new Int32Array(mostRows)
  const path = new Int32Array(mostRows)
  const referrer = new Int32Array(mostRows)
  let rows = 0

  const numberOf = (text: string | null | undefined) =>
    text === null ? absent : text === undefined ? untold : texts.numberOfText(text)

  function addNumbered(view: NumberedView): void {
    at[2 * rows] = view.at
    at[2 * rows + 1] = view.at / 2 ** 32
    client[rows] = clients.numberOf(view)
    path[rows] = view.path
    referrer[rows] = view.referrer
    rows++
  }

  return {
    add(view) {
      addNumbered({
        at: view.at,
        path: numberOf(view.path),
        referrer: numberOf(view.referrer),
        address: numberOf(view.address),
        userAgent: numberOf(view.userAgent),
        accept: numberOf(view.accept),
        acceptLanguage: numberOf(view.acceptLanguage),
      })
    },
    addNumbered,
    texts,
    get rows() {
      return rows
    },
    get textBytes() {
      return texts.byteLength
    },
    take() {
      const batch = {
        clients: clients.take(),
        texts: texts.texts(),
        views: {
          at: encodeColumn(at.subarray(0, 2 * rows)),
          client: encodeColumn(client.subarray(0, rows)),
          path: encodeColumn(path.subarray(0, rows)),
          referrer: encodeColumn(referrer.subarray(0, rows)),
        },
      }
      texts.clear()
      rows = 0
      return batch
    },
  }
}

type Client = Pick<NumberedView, 'address' | 'userAgent' | 'accept' | 'acceptLanguage'>

/** Distinct clients, as columns. */
function createClients(mostRows: number) {
  const address = new Int32Array(mostRows)
  const userAgent = new Int32Array(mostRows)
  const accept = new Int32Array(mostRows)
  const acceptLanguage = new Int32Array(mostRows)
  // Numbers plus one, with at least as many free places between them.
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * mostRows + 2)))
  let count = 0

  function isSame(number: number, client: Client): boolean {
    return (
      address[number] === client.address &&
      userAgent[number] === client.userAgent &&
      accept[number] === client.accept &&
      acceptLanguage[number] === client.acceptLanguage
    )
  }

  return {
    /** The number of a client, which is new or was there before. */
    numberOf(client: Client): number {
      const mask = table.length - 1
      let place = placeOf(client) & mask
      for (let found = table[place]!; found !== 0; found = table[place]!) {
        if (isSame(found - 1, client)) return found - 1
        place = (place + 1) & mask
      }
      address[count] = client.address
      userAgent[count] = client.userAgent
      accept[count] = client.accept
      acceptLanguage[count] = client.acceptLanguage
      table[place] = ++count
      return count - 1
    },
    take(): ImportedViews['clients'] {
      const headerOf = (column: Int32Array) =>
        column.subarray(0, count).some((number) => number !== untold) ? encodeColumn(column.subarray(0, count)) : null
      const [accepts, languages] = [headerOf(accept), headerOf(acceptLanguage)]
      const taken = {
        address: encodeColumn(address.subarray(0, count)),
        userAgent: encodeColumn(userAgent.subarray(0, count)),
        ...(accepts === null ? {} : { accept: accepts }),
        ...(languages === null ? {} : { acceptLanguage: languages }),
      }
      table.fill(0)
      count = 0
      return taken
    },
  }
}

function placeOf({ address, userAgent, accept, acceptLanguage }: Client): number {
  const mixed =
    Math.imul(address, 0x9e3779b1) ^
    Math.imul(userAgent, 0x85ebca6b) ^
    Math.imul(accept, 0xc2b2ae35) ^
    Math.imul(acceptLanguage, 0x27d4eb2f)
  return mixed ^ (mixed >>> 15)
}
