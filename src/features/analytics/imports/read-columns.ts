import { timeBounds } from '#backends/events/view.ts'
import { DocentError } from '#base/errors.ts'
import type { HitClient, HitColumns } from '../intake/hit.ts'
import { absent, untold } from './import-batch.ts'
import { decodeColumn } from './number-column.ts'
import type { ImportedViews } from './schema.ts'

/** The hits of a batch. Throws `invalid` for columns that do not fit together, and for numbers that lead nowhere. */
export function readColumns({ texts, clients, views }: ImportedViews): HitColumns {
  const times = wideColumn('views.at', views.at)
  const rows = times.length
  const ids = wideColumn('views.id', views.id)
  expectLength('views.id', ids.length, rows)
  const addresses = indexColumn('clients.address', clients.address, { min: absent, limit: texts.length })
  const clientCount = addresses.length
  const textIndexes = { min: absent, limit: texts.length, length: rows }
  return {
    texts,
    clients: readClients({ texts, clients }, addresses),
    at: readTimes(times),
    client: indexColumn('views.client', views.client, { min: 0, limit: clientCount, length: rows }),
    path: indexColumn('views.path', views.path, { ...textIndexes, min: 0 }),
    referrer: indexColumn('views.referrer', views.referrer, textIndexes),
    id: ids,
  }
}

function readClients(
  { texts, clients }: Pick<ImportedViews, 'texts' | 'clients'>,
  addresses: Int32Array,
): readonly HitClient[] {
  const { length } = addresses
  const indexes = { min: untold, limit: texts.length, length }
  const userAgents = indexColumn('clients.userAgent', clients.userAgent, { ...indexes, min: absent })
  const header = (name: 'accept' | 'acceptLanguage') =>
    clients[name] === undefined ? null : indexColumn(`clients.${name}`, clients[name], indexes)
  const accepts = header('accept')
  const languages = header('acceptLanguage')
  const textAt = (index: number) => (index < 0 ? null : texts[index]!)
  return Array.from(addresses, (address, place) => {
    const client: HitClient = {
      source: 'log',
      address: textAt(address),
      userAgent: textAt(userAgents[place]!),
      visitorId: null,
      category: null,
    }
    const accept = accepts?.[place] ?? untold
    const language = languages?.[place] ?? untold
    if (accept !== untold) client.accept = textAt(accept)
    if (language !== untold) client.acceptLanguage = textAt(language)
    return client
  })
}

function readTimes(times: BigUint64Array): Float64Array {
  const words = new Uint32Array(times.buffer)
  const read = new Float64Array(times.length)
  for (let row = 0; row < read.length; row++) {
    const at = words[2 * row + 1]! * 2 ** 32 + words[2 * row]!
    if (at < timeBounds.from || at >= timeBounds.to) {
      const bounds = `${timeBounds.from} up to ${timeBounds.to}`
      throw invalidColumn('views.at', `expected milliseconds from ${bounds}, found ${times[row]}`)
    }
    read[row] = at
  }
  return read
}

function wideColumn(path: string, text: string): BigUint64Array {
  const bytes = decodeColumn(text, 8)
  if (bytes === null) throw invalidColumn(path, 'expected base64 of numbers of 64 bits')
  return new BigUint64Array(bytes)
}

/** Indexes from `min` to below `limit`, so many if `length` says. */
function indexColumn(
  path: string,
  text: string,
  { min, limit, length }: { min: number; limit: number; length?: number },
): Int32Array {
  const bytes = decodeColumn(text, 4)
  if (bytes === null) throw invalidColumn(path, 'expected base64 of numbers of 32 bits')
  const column = new Int32Array(bytes)
  if (length !== undefined) expectLength(path, column.length, length)
  for (let place = 0; place < column.length; place++) {
    const index = column[place]!
    if (index >= min && index < limit) continue
    throw invalidColumn(path, `expected indexes from ${min} to below ${limit}, found ${index}`)
  }
  return column
}

function expectLength(path: string, found: number, expected: number): void {
  if (found !== expected) throw invalidColumn(path, `expected ${expected} numbers, found ${found}`)
}

function invalidColumn(path: string, message: string): DocentError {
  return new DocentError('invalid', 'request.invalid', `${path}: ${message}.`, { details: [{ path, message }] })
}
