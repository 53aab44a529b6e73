import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { type ImportOptions, importLog } from './import-log.ts'
import { createLineIdThread } from './line-id-thread.ts'
import { stretchBytes } from './line-ids.ts'
import { openLogFile, streamSource } from './log-source.ts'
import { readColumns } from './read-columns.ts'
import type { ImportPosition, NewImport } from './schema.ts'

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-import-'))
})
const idThread = createLineIdThread()
afterAll(async () => {
  await idThread[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(folder, `log-${++files}`)
  await writeFile(path, content)
  return path
}

/** What a server keeps: of rows with one id the first, and the newest position of each log. */
function createTarget({ failAt = Number.POSITIVE_INFINITY } = {}) {
  const views = new Map<string, string>()
  const positions = new Map<string, ImportPosition>()
  let calls = 0
  return {
    views,
    sent: 0,
    findPosition: async (fingerprint: string) => positions.get(fingerprint) ?? null,
    async send({ log, ...batch }: NewImport) {
      if (++calls === failAt) throw new DocentError('invalid', 'test.killed', 'Gone.')
      const rows = readColumns(batch)
      const text = (index: number) => (index < 0 ? index : rows.texts[index]!)
      for (const [row, at] of rows.at.entries()) {
        const { address, userAgent } = rows.clients[rows.client[row]!]!
        const id = String(rows.id[row])
        const seen = [at, text(rows.path[row]!), address, userAgent, text(rows.referrer[row]!)]
        if (!views.has(id)) views.set(id, seen.join(' '))
        this.sent++
      }
      const { name: _, ...position } = log
      positions.set(log.fingerprint, position)
      return { accepted: rows.at.length, skipped: {} }
    },
  }
}

const options = (changes: Partial<ImportOptions> = {}): ImportOptions => ({
  format: null,
  fields: new Map(),
  filter: { host: null, since: null, until: null, trustedProxies: [] },
  fromStart: false,
  isFinal: false,
  target: null,
  idThread,
  ...changes,
})

const line = ({ second = 0, address = '192.0.2.1', path = '/guide', agent = 'Mozilla/5.0', rest = '' } = {}) =>
  `${address} - - [15/Nov/2026:08:00:${String(second).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"${rest}\n`

const anyLine = fc
  .record({
    second: fc.integer({ min: 0, max: 3 }),
    address: fc.constantFrom('192.0.2.1', '2001:db8::1'),
    path: fc.constantFrom('/a', '/b/', '/style.css', '/é'),
    agent: fc.constantFrom('Mozilla/5.0', 'curl/8', 'Ünï'),
  })
  .map(line)
const anyLog = fc.array(fc.oneof({ weight: 9, arbitrary: anyLine }, fc.constantFrom('\n', 'what?\n', '\0\xff\r\n')), {
  maxLength: 40,
})

async function importAll(content: Buffer | string, changes: Partial<ImportOptions> = {}) {
  const target = createTarget()
  const source = await openLogFile(await fileOf(content))
  const log = await importLog(source, options({ format: await combined(), target, ...changes }))
  return { target, log }
}

async function combined() {
  return (await import('./log-formats.ts')).logFormats.combined
}

describe('counting once', () => {
  test('the size of batches changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog, fc.integer({ min: 1, max: 7 }), async (lines, batchRows) => {
        const whole = await importAll(lines.join(''))
        const parts = await importAll(lines.join(''), { batchRows })
        expect([...parts.target.views]).toEqual([...whole.target.views])
        expect(parts.log.tally).toEqual(whole.log.tally)
      }),
      { numRuns: 30 },
    )
  })

  test('a log counts once: imported again, renamed, compressed, piped in, from its start', async () => {
    const content = Array.from({ length: 50 }, (_, at) => line({ second: at % 7, path: `/${at % 5}` })).join('')
    const { target } = await importAll(content)
    const before = [...target.views]
    expect(before).toHaveLength(50)
    for (const bytes of [Buffer.from(content), gzipSync(content), zstdCompressSync(content)]) {
      for (const fromStart of [false, true]) {
        const source = await openLogFile(await fileOf(bytes))
        const { tally } = await importLog(source, options({ target, fromStart }))
        expect(tally.lines).toBe(fromStart ? 50 : 0)
        const piped = streamSource(Readable.from([bytes]), 'pipe')
        await importLog(piped, options({ target, fromStart }))
        expect([...target.views]).toEqual(before)
      }
    }
  })

  test('a log that grows counts what is new, wherever it was cut, a line in its middle too', async () => {
    await fc.assert(
      fc.asyncProperty(anyLog, fc.array(fc.nat(), { maxLength: 4 }), async (lines, cuts) => {
        const bytes = Buffer.from(lines.join(''), 'latin1')
        const whole = await importAll(bytes)
        const target = createTarget()
        const path = await fileOf('')
        const edges = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        let lineCount = 0
        for (const [index, edge] of edges.entries()) {
          await appendFile(path, bytes.subarray(edges[index - 1] ?? 0, edge))
          const source = await openLogFile(path)
          lineCount += (await importLog(source, options({ format: await combined(), target }))).tally.lines
        }
        expect([...target.views].sort()).toEqual([...whole.target.views].sort())
        // Below the size of a fingerprint, what is there already may be read once more.
        expect(lineCount).toBeGreaterThanOrEqual(whole.log.tally.lines)
      }),
      { numRuns: 30 },
    )
  })

  test('an import that was stopped goes on where the server had it', async () => {
    const content = Array.from({ length: 200 }, (_, at) => line({ second: at % 60, rest: ` ${at >> 1}` })).join('')
    const path = await fileOf(content)
    const target = createTarget({ failAt: 4 })
    const stopped = importLog(await openLogFile(path), options({ target, batchRows: 20 }))
    await expect(stopped).rejects.toMatchObject({ code: 'test.killed' })
    expect(target.views.size).toBeLessThan(200)
    const { tally, linesBefore } = await importLog(await openLogFile(path), options({ target, batchRows: 20 }))
    expect({ lines: tally.lines, linesBefore }).toEqual({ lines: 140, linesBefore: 60 })
    expect([...target.views].sort()).toEqual([...(await importAll(content)).target.views].sort())
    // Again only what was on its way together with the batch that failed.
    expect(target.sent).toBe(300)
  })

  test('no position is kept beyond a batch that the server does not have, whatever of the next ones it has', async () => {
    const content = Array.from({ length: 200 }, (_, at) => line({ second: at % 60, rest: ` ${at}` })).join('')
    const path = await fileOf(content)
    for (const failAt of [1, 2, 5, 9]) {
      const target = createTarget({ failAt })
      const stopped = importLog(await openLogFile(path), options({ target, batchRows: 20 }))
      await expect(stopped).rejects.toMatchObject({ code: 'test.killed' })
      await importLog(await openLogFile(path), options({ target, batchRows: 20 }))
      expect(target.views.size).toBe(200)
    }
  })

  test('equal lines around the place where an import goes on are still told apart', async () => {
    const filler = line({ path: '/filler', rest: ` ${'x'.repeat(4000)}` })
    const twin = line({ path: '/twin' })
    // Long enough for a place to go on from that is not the start.
    const many = Math.ceil((2.5 * stretchBytes) / filler.length)
    const first = `${Array.from({ length: many }, (_, at) => filler.replace('/filler', `/f${at}`)).join('')}${twin}${twin}`
    const target = createTarget()
    const path = await fileOf(first)
    await importLog(await openLogFile(path), options({ target }))
    await appendFile(path, `${twin}${twin}`)
    const { tally } = await importLog(await openLogFile(path), options({ target }))
    expect(tally.lines).toBe(2)
    expect([...target.views.values()].filter((view) => view.includes('/twin'))).toHaveLength(4)
    await importLog(await openLogFile(path), options({ target, fromStart: true }))
    expect(target.views.size).toBe(many + 4)
  })

  test('another log with the same beginning is read whole', async () => {
    const head = Array.from({ length: 100 }, (_, at) => line({ second: at % 60, rest: ` ${at}` })).join('')
    const target = createTarget()
    await importLog(await openLogFile(await fileOf(head + line({ path: '/one' }).repeat(9))), options({ target }))
    const other = await fileOf(`${head}${line({ path: '/two' })}${line({ path: '/three/four' }).repeat(20)}`)
    const { tally, linesBefore } = await importLog(await openLogFile(other), options({ target }))
    expect({ lines: tally.lines, linesBefore }).toEqual({ lines: 121, linesBefore: 0 })
    expect(target.views.size).toBe(100 + 9 + 21)
    // A pipe cannot be read again.
    const piped = streamSource(Readable.from([Buffer.from(head)]), 'pipe')
    await expect(importLog(piped, options({ target }))).rejects.toMatchObject({ code: 'import.changed' })
    const cut = await fileOf(head)
    expect((await importLog(await openLogFile(cut), options({ target }))).tally.lines).toBe(100)
  })
})

describe('what is skipped', () => {
  test('each line is counted or has its reason', async () => {
    const lines = [
      line(),
      line({ path: '/app.js' }),
      line().replace('GET', 'POST'),
      line().replace(' 200 ', ' 404 '),
      line().replace(' 200 ', ' 301 '),
      line().replace(' 200 ', ' 304 '),
      line().replace('192.0.2.1', '-'),
      '\n',
      'what?\n',
      `${'x'.repeat(70_000)}\n`,
      'cut off',
    ]
    const { log } = await importAll(lines.join(''))
    expect(log.tally).toMatchObject({ lines: 10, views: 2, isUnfinished: true })
    expect(Object.fromEntries(log.tally.skipped)).toEqual({
      'not a page': 1,
      'not a GET': 1,
      'not successful': 2,
      'no address': 1,
      empty: 1,
      'not understood': 1,
      'too long': 1,
    })
    expect(log.tally.examples).toEqual([{ line: 9, text: 'what?' }])
  })

  test('an excerpt of what was not understood is short and moves no cursor', async () => {
    const { log } = await importAll(`\x1b[2J${'é'.repeat(500)}\n`)
    const [example] = log.tally.examples
    expect(example!.text.length).toBeLessThanOrEqual(160)
    expect(example!.text).not.toContain('\x1b')
  })

  test('a byte order mark, Windows line ends and stray bytes hurt nothing', async () => {
    const text = `\ufeff${line({ agent: 'a' })}`.replace('\n', '\r\n')
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from(line({ agent: 'b\xff' }), 'latin1')])
    const { target } = await importAll(bytes, { format: null })
    expect([...target.views.values()].map((view) => view.split(' ')[3])).toEqual(['a', 'b\ufffd'])
  })

  test('only the wanted host and dates', async () => {
    const lines = ['a.example:443', 'b.example', 'A.EXAMPLE'].map((host, at) => `${host} ${line({ second: at })}`)
    const filter = { host: 'a.example', since: null, until: null, trustedProxies: [] }
    expect((await importAll(lines.join(''), { filter })).log.tally.views).toBe(2)
    const base = Date.UTC(2026, 10, 15, 8)
    const dates = { host: null, since: base + 1000, until: base + 2000, trustedProxies: [] }
    expect((await importAll(lines.join(''), { filter: dates })).log.tally.views).toBe(1)
  })

  test('prefetches and answers that are no page, where a log tells', async () => {
    const record = { ts: 1_700_000_000, uri: '/a', status: 200, remote_addr: '192.0.2.1' }
    const lines = [record, { ...record, http_sec_purpose: 'prefetch' }, { ...record, content_type: 'image/png' }]
    const { log } = await importAll(`${lines.map((entry) => JSON.stringify(entry)).join('\n')}\n`, { format: null })
    expect(log.tally.views).toBe(1)
    expect(Object.fromEntries(log.tally.skipped)).toEqual({ prefetch: 1, 'not a page': 1 })
  })

  test('the address behind a trusted proxy is the client', async () => {
    const rest = ' "198.51.100.7, 203.0.113.9"'
    const lines = [line({ address: '10.0.0.2', rest }), line({ address: '192.0.2.1', rest })]
    const filter = { host: null, since: null, until: null, trustedProxies: ['10.0.0.0/8'] }
    const { target } = await importAll(lines.join(''), { filter })
    expect([...target.views.values()].map((view) => view.split(' ')[2])).toEqual(['203.0.113.9', '192.0.2.1'])
  })
})

describe('sources', () => {
  const content = Array.from({ length: 30 }, (_, at) => line({ second: at })).join('')

  test.each(['gzip', 'zstd'])('several %s members in one file are all read', async (kind) => {
    const compress = kind === 'gzip' ? gzipSync : zstdCompressSync
    const halves = [content.slice(0, 1000), content.slice(1000)].map((half) => compress(half))
    expect((await importAll(Buffer.concat(halves))).log.tally.views).toBe(30)
  })

  test.each(['gzip', 'zstd'])(
    'of a %s file that was cut off, what is there counts and the fault is told',
    async (kind) => {
      // What cannot be compressed, so that the cut is in the middle of the content.
      const noise = Array.from({ length: 3000 }, (_, at) => line({ second: at % 60, rest: ` ${Math.sin(at)}` })).join(
        '',
      )
      const bytes = kind === 'gzip' ? gzipSync(noise) : zstdCompressSync(noise)
      const { log } = await importAll(bytes.subarray(0, bytes.length - 2000))
      expect(log.fault).toMatchObject({ code: 'import.damaged' })
      expect(log.tally.views).toBeGreaterThan(0)
      expect(log.tally.views).toBeLessThan(3000)
    },
  )

  test('a last line without an end counts when nothing can follow it', async () => {
    const open = content.slice(0, -1)
    expect((await importAll(open)).log.tally).toMatchObject({ views: 29, isUnfinished: true })
    expect((await importAll(open, { isFinal: true })).log.tally).toMatchObject({ views: 30, isUnfinished: false })
    expect((await importAll(gzipSync(open))).log.tally.views).toBe(30)
  })

  test.each([1, 3, 100_000])('a pipe that gives %i bytes at a time is read alike', async (size) => {
    const bytes = gzipSync(content)
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const target = createTarget()
    const { tally } = await importLog(streamSource(Readable.from(chunks), 'pipe'), options({ target }))
    expect(tally.views).toBe(30)
    expect(target.views.size).toBe(30)
  })

  test('what is no file is refused with what to do', async () => {
    await expect(openLogFile(join(folder, 'nothing'))).rejects.toMatchObject({ kind: 'not_found' })
    await expect(openLogFile(folder)).rejects.toThrow(/is a folder\. Expected log files/)
    await expect(importAll('one\ntwo\n', { format: null })).rejects.toThrow(/--format/)
    await expect(importAll('{"at":1}\n', { format: null })).rejects.toThrow(/It is JSON.*--map/)
  })

  test('a log with nothing in it yet, as after rotation, is no fault', async () => {
    const { log } = await importAll('', { format: null })
    expect(log).toMatchObject({ format: 'empty', tally: { lines: 0, views: 0 }, position: 0, fault: null })
  })
})

describe('a server that is away', () => {
  test('is asked again, and the batch counts once', async () => {
    const target = createTarget()
    let failures = 2
    const send = async (batch: NewImport) => {
      if (failures-- > 0) throw new DocentError('unavailable', 'server.unreachable', 'Away.')
      return await target.send(batch)
    }
    const told: string[] = []
    const source = await openLogFile(await fileOf(line()))
    const flaky = { findPosition: target.findPosition, send }
    await importLog(source, options({ target: flaky, onRetry: ({ message }) => told.push(message) }))
    expect(target.views.size).toBe(1)
    expect(told).toEqual(['Away.', 'Away.'])
  })
})
