import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withIds } from './import-batch.ts'
import type { PlainReader } from './log-entry.ts'
import { logFormats } from './log-formats.ts'
import { streamSource } from './log-source.ts'
import { readColumns } from './read-columns.ts'
import { emptyTally, readLog } from './read-log.ts'
import type { FilterOptions } from './view-filter.ts'

const { combined } = logFormats
const everything: FilterOptions = { host: null, since: null, until: null, trustedProxies: [] }

/** All that comes of these lines. */
async function read(lines: string[], plain: PlainReader | null, filter = everything) {
  const tally = emptyTally()
  const source = streamSource(
    (async function* () {
      yield Buffer.from(`${lines.join('\n')}\n`, 'latin1')
    })(),
    'a log',
  )
  const options = { parse: combined.open({ fields: new Map() }), plain, filter, after: null, isFinal: false, tally }
  const views: object[] = []
  const identified: string[] = []
  for await (const batch of readLog(source, { ...options, batchRows: 7 })) {
    const ids = new Int32Array(2 * batch.rows)
    const { texts, clients, ...columns } = readColumns(JSON.parse(JSON.stringify(withIds(batch.views, ids))))
    for (const [row, at] of columns.at.entries()) {
      const referrer = columns.referrer[row]! < 0 ? null : texts[columns.referrer[row]!]
      views.push({ at, path: texts[columns.path[row]!], referrer, client: clients[columns.client[row]!] })
    }
    const all = Buffer.from(batch.lines.bytes).toString('latin1')
    for (const [index, end] of batch.lines.ends.entries()) {
      identified.push(all.slice(batch.lines.ends[index - 1] ?? 0, end))
    }
  }
  return { views, identified, tally }
}

/** The reader of the format, and how many of the lines it read to their end. */
function countingReader() {
  const reader = combined.openPlain!()
  const counted: PlainReader & { taken: number } = {
    found: reader.found,
    taken: 0,
    readRequest: reader.readRequest,
    readClient(line) {
      const isPlain = reader.readClient(line)
      if (isPlain) counted.taken++
      return isPlain
    },
  }
  return counted
}

const usual =
  '192.0.2.1 - - [10/Oct/2020:13:55:36 -0700] "GET /guide?a=1 HTTP/1.1" 200 2326 "https://a.example/" "curl/8"'
const base = Date.UTC(2020, 9, 10, 20, 55, 36)

const part = <T>(common: T, ...rare: T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(common) }, fc.constantFrom(...rare))
const odd = ['', '-', '"', '\\', '\\"', '\\x22', ' ', '[', '] "', '\xe9', '\0', '\t', 'x'.repeat(3000)]
/** Lines that are mostly plain, with something of another kind in any of their places. */
const anyLine = fc
  .tuple(
    part('192.0.2.1', '2001:db8::7', 'host.example', 'a.example:443 192.0.2.1', '-', 'x'.repeat(101), ...odd),
    part(' - - ', ' - frank ', ' ', ' -  - ', '\t- - '),
    part(
      '10/Oct/2020:13:55:36 -0700',
      '10/Oct/2020:13:55:37 -0700',
      '11/Oct/2020:13:55:36 +0000',
      '10/Oct/2020:24:00:00 +0000',
      '10/Oct/2020:13:55:36] "ab]',
      '31/Feb/2020:13:55:36 -0700',
      '2020-10-10T13:55:36+00:00',
      ...odd,
    ),
    part('GET', 'HEAD', 'POST', 'get', 'GET ', ''),
    part('/guide', '/guide?a=1', '/guide/', '/guide.md', '/a.js', '/b?c?d', '?', '/%2e%2e', '/a b', '/[id]', ...odd),
    part('HTTP/1.1', 'HTTP/2.0', 'HTTP/', 'HTTP/1.1x', 'http/1.1', '', 'x HTTP/1.1'),
    part('200', '304', '404', '099', '20', '2000', '2x0', ''),
    part(' 2326', ' -', '', ' 0', ' 2"6', ' "7" '),
    part('https://a.example/', '-', 'a [b] c', ...odd),
    part('curl/8', 'Mozilla/4.08 [en]', '-', ...odd),
    part('', ' "-"', ' "203.0.113.9"', ' ', ' 0.001', ' "-" x', '"'),
  )
  .map(
    ([address, users, time, method, target, version, status, size, referrer, agent, after]) =>
      `${address}${users}[${time}] "${method} ${target} ${version}" ${status}${size} "${referrer}" "${agent}"${after}`,
  )
const cutLine = fc.tuple(anyLine, fc.nat(), fc.nat()).map(([line, from, length]) => {
  const start = from % (line.length + 1)
  return line.slice(0, start) + line.slice(start + (length % 9))
})

test('lines that are read without making texts come to the same as if their format had parsed them', async () => {
  const filters = fc.record({
    host: fc.constantFrom(null, 'a.example'),
    since: fc.constantFrom(null, base, base + 1000),
    until: fc.constantFrom(null, base + 1000),
    trustedProxies: fc.constantFrom<string[]>([], ['192.0.2.0/24']),
  })
  const lines = fc.array(fc.oneof(anyLine, cutLine, fc.constantFrom(usual, '', '\ufeff')), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(lines, filters, async (some, filter) => {
      expect(await read(some, combined.openPlain!(), filter)).toEqual(await read(some, null, filter))
    }),
    { numRuns: 500 },
  )
})

test.each([
  usual,
  usual.replace('192.0.2.1', '2001:db8::7'),
  usual.replace('"https://a.example/"', '"-"'),
  usual.replace('curl/8', 'Mozilla/4.08 [en] (Win98; I ;Nav)'),
  `${usual} "-"`,
])('%s is read so', async (line) => {
  const plain = countingReader()
  const { views } = await read([line, line], plain)
  expect([views.length, plain.taken]).toEqual([2, 2])
})

test('more paths than are remembered change nothing', async () => {
  const lines = Array.from({ length: 50_500 }, (_, at) =>
    usual.replace('/guide', at % 500 === 0 ? '/guide' : `/page/${at}`),
  )
  const { views, tally } = await read(lines, combined.openPlain!())
  expect(tally.views).toBe(lines.length)
  expect(views[50_000]).toMatchObject({ path: '/guide' })
  expect(views[50_499]).toMatchObject({ path: '/page/50499' })
})
