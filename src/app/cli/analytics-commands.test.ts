// Runs on PGlite alone: views are in the event store, whichever database there is.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Category, View } from '#backends/events/view.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { runCli } from './cli.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')

let it: TestApp
let folder: string
let url: string
beforeAll(async () => {
  it = await createTestApp()
  url = await it.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(join(tmpdir(), 'docent-cli-'))
  const source = { provider: 'github', repository: 'acme/docs' }
  const { id: projectId } = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body
  const view = (path: string, visitor: number, category: Category): View => {
    const verdict = { category, client: null, reason: 'test', verification: 'none', listVersion: '1' } as const
    const rest = { eventId: null, referrer: null, source: 'events' } as const
    return { projectId, at: noon, path, visitor: BigInt(visitor), verdict, ...rest }
  }
  const many = Array.from({ length: 260 }, (_, index) => view(`/many/${String(index).padStart(3, '0')}`, 1, 'human'))
  await it.services.events.append([...many, view('/a,b', 2, 'agent'), view('/a,b', 1, 'human')])
})
afterAll(async () => {
  await it.close()
  await rm(folder, { recursive: true })
})

async function run(...words: string[]) {
  const said = { out: '', error: '' }
  const stream = (name: 'out' | 'error') => ({ write: (text: string) => (said[name] += text) })
  const all = ['analytics', ...words, '--url', url, '--key', testAdminKey]
  const code = await runCli(all, { stdout: stream('out'), stderr: stream('error') })
  return { code, ...said }
}

describe('docent analytics visitors', () => {
  test('shows the site and its pages', async () => {
    const { code, out } = await run('visitors', '--limit', '2')
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'page        human  ai  total',
      'whole site      1   1      2',
      '/a,b            1   1      2',
      '/many/000       1   0      1',
      '… and more; --limit shows them.',
      '',
    ])
  })

  test('reads as many pages as are wanted', async () => {
    const { visitors, hasMore } = JSON.parse((await run('visitors', '--limit', '255', '--json')).out)
    expect([visitors.length, new Set(visitors.map(({ path }: { path: string }) => path)).size]).toEqual([255, 255])
    expect(hasMore).toBe(true)
  })

  test('prints all pages as CSV', async () => {
    const { code, out } = await run('visitors', '--csv')
    expect(code).toBe(0)
    expect(out).toMatch(/^path,human,ai,total\r\n"\/a,b",1,1,2\r\n\/many\/000,1,0,1\r\n/)
    expect(out).toMatch(/\r\n\/many\/259,1,0,1\r\n$/)
    expect(out.split('\r\n')).toHaveLength(263)
  })

  test('takes a range, and says when there is nothing in it', async () => {
    const { code, out } = await run('visitors', '--from', '2026-03-11', '--to', '2026-03-12')
    expect([code, out]).toEqual([0, expect.stringContaining('No page was visited in this range.')])
    const wrong = await run('visitors', '--from', '2026-02-30')
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('dateFrom: there is no such day')])
    expect((await run('visitors', '--limit', '0')).code).toBe(2)
  })
})

describe('docent analytics export', () => {
  beforeEach(async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name))
  })

  test('writes a whole file in the form that its name says', async () => {
    const lines = join(folder, 'views.jsonl')
    const { code, out } = await run('export', '--out', lines)
    expect([code, out]).toEqual([0, expect.stringMatching(/^Wrote \d+ kB to /)])
    expect((await readFile(lines, 'utf8')).trimEnd().split('\n')).toHaveLength(262)
    const parquet = join(folder, 'views.parquet')
    const { bytes, file } = JSON.parse((await run('export', '--out', parquet, '--json')).out)
    const content = await readFile(parquet)
    expect([bytes, file]).toEqual([content.length, parquet])
    expect(content.subarray(0, 4).toString()).toBe('PAR1')
    expect((await readdir(folder)).sort()).toEqual(['views.jsonl', 'views.parquet'])
  })

  test('keeps a file that is there, unless told otherwise', async () => {
    const out = join(folder, 'views.jsonl')
    await writeFile(out, 'mine')
    const refused = await run('export', '--out', out)
    expect([refused.code, refused.error]).toEqual([5, `${out} is there already. --force replaces it.\n`])
    expect(await readFile(out, 'utf8')).toBe('mine')
    expect((await run('export', '--out', out, '--force', '--from', '2027-01-01')).code).toBe(0)
    expect(await readFile(out, 'utf8')).toBe('')
  })

  test.each([
    [['--format', 'csv'], 2, 'expected jsonl or parquet'],
    [['--from', 'yesterday'], 2, 'dateFrom: expected'],
    [['--project', 'prj_0000000000000000000000'], 4, 'no such project'],
    [['--out', '/nowhere/at/all/views.jsonl'], 2, 'cannot be written'],
    [['--out', tmpdir()], 2, 'is a folder'],
  ])('with %j ends with %d and leaves no file', async (words, expected, sentence) => {
    const { code, error } = await run('export', '--out', join(folder, 'views.jsonl'), ...words)
    expect([code, error]).toEqual([expected, expect.stringContaining(sentence)])
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves no half file when the server breaks off', async () => {
    const server = createServer((_request, response) => {
      response.write('{"path":"/"}\n')
      setTimeout(() => response.destroy(), 50)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const broken = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const words = ['--project', 'prj_0000000000000000000000', '--url', broken]
    const said = { error: '' }
    const stream = { write: (text: string) => (said.error += text) }
    const all = ['analytics', 'export', '--out', join(folder, 'views.jsonl'), ...words, '--key', testAdminKey]
    expect(await runCli(all, { stdout: stream, stderr: stream })).toBe(6)
    expect(said.error).toContain('broke off after 13 bytes')
    expect(await readdir(folder)).toEqual([])
    server.close()
  })
})

describe('docent analytics forget', () => {
  test('deletes the views of a visitor', async () => {
    expect((await run('forget', '--visitor', '0000000000000002')).out).toBe('Deleted 1 view.\n')
    expect((await run('forget', '--visitor', '0000000000000002')).out).toBe('There are no views of this visitor.\n')
    expect(JSON.parse((await run('forget', '--visitor-id', 'nobody', '--json')).out)).toEqual({ views: 0 })
    expect((await run('forget', '--ip', '203.0.113.7', '--user-agent', 'x')).code).toBe(0)
  })

  test.each([
    [],
    ['--ip', '203.0.113.7'],
    ['--user-agent', 'x'],
    ['--visitor-id', 'a', '--visitor', '0000000000000002'],
    ['--visitor', 'x'],
  ])('with %j %j %j %j does nothing', async (...words) => {
    expect((await run('forget', ...words)).code).toBe(2)
  })
})
