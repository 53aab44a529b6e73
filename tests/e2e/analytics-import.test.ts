// Runs on PGlite alone: what is killed here is the command and the embedded stores.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeAccessLog } from '../../bench/access-log.ts'
import { startHoldingProxy } from '../harness/holding-proxy.ts'
import { runDocent, type ServerProcess, spawnDocent, startServerProcess } from '../harness/server-process.ts'
import { testAdminKey } from '../harness/test-config.ts'
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts'

let database: TestDatabase
let server: ServerProcess
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'docent-import-'))
  server = await startServerProcess({ ...database.settings, rateLimitPerMinute: 1_000_000 })
})
afterAll(async () => {
  await server.end('SIGKILL')
  await database.delete()
  await rm(folder, { recursive: true, force: true })
})

const line = (address: string, path: string, second = 0) =>
  `${address} - - [15/Jan/2026:08:00:${String(second).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"\n`

async function newProject(name: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.fetch('/v1/projects', { method: 'POST', headers, body: JSON.stringify({ name }) })
  return ((await answer.json()) as { id: string }).id
}

async function totalViews(project: string): Promise<number> {
  const answer = await server.fetch(`/v1/analytics/${project}/views`)
  return ((await answer.json()) as { totals: { total: number } }).totals.total
}

/** Every view, bots too, as the file that exports give. */
async function exported(project: string): Promise<string[]> {
  const answer = await server.fetch(`/v1/analytics/${project}/export?format=jsonl`)
  return (await answer.text()).trim().split('\n').sort()
}

async function importLogs(project: string, ...args: string[]) {
  const words = ['analytics', 'import', '--json', '--project', project, ...args]
  const { code, stdout, output } = await runDocent(words, database.settings)
  return { code, output, logs: code === 0 || stdout.startsWith('{') ? JSON.parse(stdout).logs : null }
}

describe('docent analytics import', () => {
  test('counts a log once: again, grown, compressed, and piped in', async () => {
    const project = await newProject('Once')
    const path = join(folder, 'access.log')
    const first = `${line('192.0.2.1', '/guide')}${line('192.0.2.1', '/guide')}${line('192.0.2.2', '/a.png')}`
    await writeFile(path, first)
    const { code, logs } = await importLogs(project, path)
    expect(code).toBe(0)
    expect(logs[0]).toMatchObject({ format: 'combined', lines: 3, views: 2, skipped: { 'not a page': 1 } })
    expect(await totalViews(project)).toBe(2)
    expect((await importLogs(project, path)).logs[0]).toMatchObject({ lines: 0, linesBefore: 3 })
    await appendFile(path, line('192.0.2.3', '/guide/', 1))
    await importLogs(project, path)
    expect(await totalViews(project)).toBe(3)
    await writeFile(`${path}.1.gz`, gzipSync(await readFile(path)))
    await importLogs(project, path, `${path}.1.gz`, '--from-start')
    expect(await totalViews(project)).toBe(3)
    const { child, ended } = spawnDocent(['analytics', 'import', '--project', project, '-'], database.settings)
    child.stdin.end(`${await readFile(path, 'utf8')}${line('192.0.2.4', '/new', 2)}`)
    expect(await ended).toBe(0)
    expect(await totalViews(project)).toBe(4)
  })

  test('says what it would do without a server', async () => {
    const path = join(folder, 'dry.log')
    await writeFile(path, `${line('192.0.2.1', '/guide')}what?\n${line('192.0.2.1', '/cut').trim()}`)
    const nowhere = { data: join(folder, 'nothing') }
    const { code, output } = await runDocent(['analytics', 'import', '--dry-run', path], nowhere)
    expect(code).toBe(0)
    expect(output).toContain('(combined): 2 lines read')
    expect(output).toContain('1 view would be taken in.')
    expect(output).toContain('line 2: what?')
    expect(output).toContain('--final counts it now')
  })

  test('one that is no log, or has nothing in it yet, keeps no other out', async () => {
    const [empty, other, good] = ['empty.log', 'other.log', 'good.log'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(empty, '')
    await writeFile(other, 'hello\n')
    await writeFile(good, line('192.0.2.1', '/guide'))
    const nowhere = { data: join(folder, 'nothing') }
    const both = await runDocent(['analytics', 'import', '--dry-run', empty, good], nowhere)
    expect(both).toMatchObject({ code: 0, output: expect.stringContaining('empty.log: there is nothing in it yet.') })
    const { code, stdout, output } = await runDocent(['analytics', 'import', '--dry-run', other, good], nowhere)
    expect(code).toBe(1)
    expect(stdout).toContain('other.log: not read. The format is not known.')
    expect(stdout).toContain('1 view would be taken in.')
    expect(output).toContain(`Not read, or not to the end: ${other}`)
  })

  test.each<[string, (path: string) => string[], number, RegExp]>([
    ['a missing file', () => ['/nowhere/access.log'], 4, /There is no file \/nowhere\/access\.log/],
    ['a folder', () => [tmpdir()], 2, /is a folder/],
    ['no file', () => [], 2, /Missing <file>/],
    ['an unknown format', (path) => ['--format', 'iis', path], 2, /--format: expected .*combined.*found "iis"/],
    ['a strange map', (path) => ['--map', 'colour=red', path], 2, /--map: expected field=name/],
    ['a strange date', (path) => ['--since', '2026-02-30', path], 2, /--since: expected a date/],
    ['no log at all', (path) => [path], 2, /The format is not known.*Found: "hello"/],
    ['a format that fits no line', (path) => ['--format', 'json', path], 1, /line 1: hello/],
  ])('%s ends it with what to do', async (_, args, expected, message) => {
    const path = join(folder, 'no.log')
    await writeFile(path, 'hello\nworld\n')
    const { code, output } = await runDocent(['analytics', 'import', '--dry-run', ...args(path)], database.settings)
    expect({ code, output }).toEqual({ code: expected, output: expect.stringMatching(message) })
  })

  test('a killed command and a killed server lose nothing and count nothing twice', async () => {
    const path = join(folder, 'large.log')
    // Three batches: two before the first kill, one of them again before the second, and the rest after.
    await writeAccessLog({ file: path, lines: 110_000, seed: 7 })
    const whole = await newProject('Whole')
    expect((await importLogs(whole, path)).logs[0].views).toBeGreaterThan(50_000)
    const killed = await newProject('Killed')
    await using proxy = await startHoldingProxy(() => server.url)
    const throughProxy = () =>
      spawnDocent(['analytics', 'import', '--project', killed, '--url', proxy.url, '--key', testAdminKey, path], {})
    // The command first, when some is in and some is not.
    const heldOnce = proxy.holdAfter(2)
    const first = throughProxy()
    await heldOnce
    first.child.kill('SIGKILL')
    await first.ended
    proxy.release()
    const arrived = await totalViews(killed)
    expect(arrived).toBeGreaterThan(0)
    expect(arrived).toBeLessThan(await totalViews(whole))
    // Then the server, under a command that has sent some more and waits for it to come back.
    const heldAgain = proxy.holdAfter(1)
    const second = throughProxy()
    await heldAgain
    await server.end('SIGKILL')
    proxy.release()
    server = await startServerProcess({ ...database.settings, rateLimitPerMinute: 1_000_000 })
    expect(await second.ended, second.output()).toBe(0)
    await importLogs(killed, path)
    // Visitors' ids are the project's own; everything else is equal.
    const withoutVisitor = (rows: string[]) => rows.map((row) => row.replace(/"visitor":"[^"]+",?/, '')).sort()
    expect(withoutVisitor(await exported(killed))).toEqual(withoutVisitor(await exported(whole)))
  }, 180_000)
})
