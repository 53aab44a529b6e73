import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBatchBuilder, type LogView, withIds } from './import-batch.ts'
import { decodeColumn, encodeColumn } from './number-column.ts'
import { readColumns } from './read-columns.ts'

const text = fc.constantFrom('/a', '/b', 'x', '', 'é', '😀', '192.0.2.1', '::1')
const header = fc.option(fc.option(text, { nil: undefined }), { nil: null })
const anyView: fc.Arbitrary<LogView> = fc.record({
  at: fc.integer({ min: 86_400_000, max: 65_536 * 86_400_000 - 1 }),
  path: text,
  referrer: fc.option(text),
  address: text,
  userAgent: fc.option(text),
  accept: header,
  acceptLanguage: header,
})
const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const anyRow = fc.record({ view: anyView, id: fc.record({ high: word, low: word }) })

test('views come out of a batch as they went in, batch after batch', () => {
  const builder = createBatchBuilder(30)
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), (rows) => {
      for (const { view } of rows) builder.add(view)
      expect(builder.rows).toBe(rows.length)
      const ids = Int32Array.from(rows.flatMap(({ id }) => [id.low, id.high]))
      const { texts, clients, ...columns } = readColumns(JSON.parse(JSON.stringify(withIds(builder.take(), ids))))
      const read = Array.from(columns.at, (at, row) => {
        const { address, userAgent, accept, acceptLanguage } = clients[columns.client[row]!]!
        const referrer = columns.referrer[row]! < 0 ? null : texts[columns.referrer[row]!]!
        const view = { at, path: texts[columns.path[row]!]!, referrer, address, userAgent, accept, acceptLanguage }
        return { view, id: columns.id[row] }
      })
      const expected = rows.map(({ view, id }) => ({
        view,
        id: (BigInt(id.high >>> 0) << 32n) | BigInt(id.low >>> 0),
      }))
      expect(read).toEqual(expected)
      expect([builder.rows, builder.textBytes]).toEqual([0, 0])
      // Each text and each client once.
      expect(texts.length).toBe(new Set(texts).size)
      expect(clients.length).toBe(new Set(clients.map((client) => JSON.stringify(client))).size)
    }),
  )
})

test('numbers come back from base64, and nothing else is taken for it', () => {
  fc.assert(
    fc.property(fc.array(word), fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), (numbers, noise, place) => {
      const column = encodeColumn(Int32Array.from(numbers))
      expect([...new Int32Array(decodeColumn(column, 4)!)]).toEqual(numbers)
      const at = place % (column.length + 1)
      const bytes = decodeColumn(column.slice(0, at) + noise + column.slice(at), 4)
      // If it is taken at all, it is base64 of that many numbers.
      if (bytes === null) return
      expect(4 * Math.ceil(bytes.byteLength / 3)).toBe(column.length + noise.length)
      expect(`${column.slice(0, at)}${noise}${column.slice(at)}`).toMatch(/^[\w+/-]*={0,2}$/)
    }),
  )
})
