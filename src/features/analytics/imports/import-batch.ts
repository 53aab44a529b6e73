import { idLength } from './batch-limits.ts'
import type { LineId } from './line-ids.ts'
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
  add(view: LogView, id: LineId): void
  readonly rows: number
  /** Characters of all distinct texts, which is nearly all that a batch can be large by. */
  readonly textLength: number
  /** What was gathered; the builder is empty afterwards. */
  take(): ImportedViews
}

// Of a request: it had none. Of a log: it does not tell.
const absent = -1
const untold = -2

export function createBatchBuilder(mostRows: number): BatchBuilder {
  let state = emptyBatch()
  const ids = Buffer.alloc((mostRows * idLength) / 2)

  /** The index of a text, which is new or was there before. */
  function indexOf(text: string | null | undefined): number {
    if (text === null) return absent
    if (text === undefined) return untold
    const known = state.indexes.get(text)
    if (known !== undefined) return known
    const index = addText(text)
    state.indexes.set(text, index)
    return index
  }

  function addText(text: string): number {
    state.textLength += text.length
    return state.texts.push(text) - 1
  }

  function isClient(index: number, { userAgent, accept, acceptLanguage }: LogView): boolean {
    const { clients } = state
    return (
      textAt(clients.userAgent[index]!) === userAgent &&
      textAt(clients.accept[index]!) === accept &&
      textAt(clients.acceptLanguage[index]!) === acceptLanguage
    )
  }

  function textAt(index: number): string | null | undefined {
    return index === absent ? null : index === untold ? undefined : state.texts[index]
  }

  /** By address, which is short, and then by comparing: one lookup in place of one for each text. */
  function clientIndex(view: LogView): number {
    const { clients, clientAt, clientBefore } = state
    const newest = clientAt.get(view.address)
    let compared = 0
    // Many clients behind one address: the search through them must not become the work itself.
    for (let index = newest; index !== undefined && compared < mostCompared; index = clientBefore[index]) {
      if (isClient(index, view)) return index
      compared++
    }
    const index = clientBefore.push(newest) - 1
    clientAt.set(view.address, index)
    clients.address.push(newest === undefined ? addText(view.address) : clients.address[newest]!)
    clients.userAgent.push(indexOf(view.userAgent))
    clients.accept.push(indexOf(view.accept))
    clients.acceptLanguage.push(indexOf(view.acceptLanguage))
    return index
  }

  return {
    add(view, id) {
      const { views } = state
      ids.writeInt32BE(id.high, views.at.length * 8)
      ids.writeInt32BE(id.low, views.at.length * 8 + 4)
      views.client.push(clientIndex(view))
      views.path.push(indexOf(view.path))
      views.referrer.push(indexOf(view.referrer))
      views.at.push(view.at)
    },
    get rows() {
      return state.views.at.length
    },
    get textLength() {
      return state.textLength
    },
    take() {
      const { texts, views } = state
      const { address, userAgent, accept, acceptLanguage } = state.clients
      state = emptyBatch()
      return {
        texts,
        clients: {
          address,
          userAgent,
          ...(accept.some((index) => index !== untold) ? { accept } : {}),
          ...(acceptLanguage.some((index) => index !== untold) ? { acceptLanguage } : {}),
        },
        views: { ...views, id: ids.toString('hex', 0, views.at.length * 8) },
      }
    },
  }
}

const mostCompared = 16

function emptyBatch() {
  return {
    texts: [] as string[],
    indexes: new Map<string, number>(),
    textLength: 0,
    clients: {
      address: [] as number[],
      userAgent: [] as number[],
      accept: [] as number[],
      acceptLanguage: [] as number[],
    },
    /** The newest client of each address, and of each client the one before it there. */
    clientAt: new Map<string, number>(),
    clientBefore: [] as (number | undefined)[],
    views: { at: [] as number[], client: [] as number[], path: [] as number[], referrer: [] as number[] },
  }
}
