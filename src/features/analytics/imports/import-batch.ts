import type { LineId } from './line-ids.ts'
import { type ImportedViews, idLength } from './schema.ts'

/** A client as far as its log tells it. */
export interface LogClient {
  address: string
  userAgent: string | null
  accept: string | null | undefined
  acceptLanguage: string | null | undefined
}

/** A view as a log tells it. */
export interface LogView extends LogClient {
  at: number
  path: string
  referrer: string | null
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
    state.textLength += text.length
    state.indexes.set(text, state.texts.length)
    return state.texts.push(text) - 1
  }

  /** By address, which is short, and then by comparing: one lookup in place of one for each text. */
  function clientIndex(view: LogView): number {
    const { address, userAgent, accept, acceptLanguage } = view
    let there = state.clientsAt.get(address)
    if (there === undefined) {
      there = []
      state.clientsAt.set(address, there)
    }
    for (const { client, index } of there) {
      if (client.userAgent === userAgent && client.accept === accept && client.acceptLanguage === acceptLanguage) {
        return index
      }
    }
    const { clients } = state
    const index = clients.address.push(indexOf(address)) - 1
    clients.userAgent.push(indexOf(userAgent))
    clients.accept.push(indexOf(accept))
    clients.acceptLanguage.push(indexOf(acceptLanguage))
    // Many clients behind one address: the search through them must not become the work itself.
    if (there.length < mostCompared) there.push({ client: view, index })
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
    clientsAt: new Map<string, { client: LogClient; index: number }[]>(),
    views: { at: [] as number[], client: [] as number[], path: [] as number[], referrer: [] as number[] },
  }
}
