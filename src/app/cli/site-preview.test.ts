import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { runDocent, spawnDocent } from '#tests/harness/server-process.ts'
import { until } from '#tests/harness/until.ts'

const root = mkdtempSync(join(tmpdir(), 'docent-preview-'))
afterAll(() => rmSync(root, { recursive: true }))

let preview: ReturnType<typeof spawnDocent> | null = null
afterEach(async () => {
  preview?.child.kill('SIGKILL')
  await preview?.ended
  preview = null
})

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

let folders = 0
function newFolder(files: Record<string, string>): string {
  const folder = join(root, String(++folders))
  write(folder, files)
  return folder
}

/** No data folder that would be found: the command needs none. */
const settings = { data: join(root, 'no', 'such', 'folder') }

async function start(folder: string): Promise<{ url: string; said(): string }> {
  const port = await freePort()
  preview = spawnDocent(['site', 'preview', folder, '--port', String(port)], settings)
  const { output } = preview
  await until(() => output().includes('Ctrl-C ends it'), { waitingFor: `the preview to start: ${output()}` })
  return { url: `http://127.0.0.1:${port}`, said: output }
}

describe('docent site preview', () => {
  test('serves the folder, shows changes as they are written, and ends cleanly', async () => {
    const folder = newFolder({
      'docs/docs.json': '{ "name": "Preview", "navigation": { "pages": ["index", "odd"] } }',
      'docs/index.mdx': '# Home\n\nFirst words.\n',
      'docs/odd.mdx': '# Odd\n\n<Unheard />\n',
    })
    const { url, said } = await start(folder)
    expect(await (await fetch(`${url}/`)).text()).toContain('First words.')
    expect(await (await fetch(`${url}/index.md`)).text()).toContain('First words.')
    expect(said()).toMatch(/^\/odd\n {2}! odd\.mdx:3 {2}.*Unheard/m)

    const reload = await fetch(`${url}/_docent/reload`)
    expect(reload.headers.get('content-type')).toBe('text/event-stream')
    const reader = reload.body!.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    void (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value
    })().catch(() => {})

    write(join(folder, 'docs'), { 'index.mdx': '# Home\n\nSecond words.\n', 'odd.mdx': '# Odd\n\nEven.\n' })
    await until(async () => (await (await fetch(`${url}/`)).text()).includes('Second words.'), { withinMs: 20_000 })
    await until(() => told.includes('data: reload\n\n'), { withinMs: 20_000 })
    await until(() => /^ {2}✓ odd\.mdx:3 {2}.*Unheard/m.test(said()), { withinMs: 20_000 })

    // Half of what somebody writes may not be read; what was there stays.
    write(join(folder, 'docs'), { 'docs.json': '{ "name": ' })
    write(join(folder, 'docs'), { 'new.mdx': '# New\n' })
    await until(async () => (await fetch(`${url}/new`)).status === 200, { withinMs: 20_000 })

    preview!.child.kill('SIGINT')
    expect(await preview!.ended).toBe(0)
  })

  test('answers under names of this machine only', async () => {
    const { url } = await start(newFolder({ 'index.md': '# Secret\n' }))
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const outgoing = request(`${url}/`, { headers: { host: 'evil.example' } }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      outgoing.on('error', reject).end()
    })
    expect(answer.status).toBe(403)
    expect(answer.text).not.toContain('Secret')
    const feedback = await fetch(`${url}/_docent/feedback`, { method: 'POST', body: '{"path":"/","helpful":true}' })
    expect(feedback.status).toBeLessThan(500)
  })

  test('--open-check makes every page once, and ends with 1 when something is wrong', async () => {
    const good = newFolder({ 'index.md': '# Home\n' })
    expect(await runDocent(['site', 'preview', good, '--open-check'], settings)).toMatchObject({
      code: 0,
      stdout: '1 page, 0 warnings.\n',
    })
    const bad = newFolder({ 'index.mdx': '# Home\n\n<Unheard />\n' })
    const { code, stdout } = await runDocent(['site', 'preview', bad, '--open-check', '--json'], settings)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ pages: 1, warnings: [{ route: '/', path: 'index.mdx', line: 3 }] })
  })

  test.each([
    [['no/such/folder'], 4],
    [['.', '--port', 'x'], 2],
    // CI that names a wrong folder must not be told that all is well.
    [[mkdtempSync(join(root, 'empty-')), '--open-check'], 4],
  ])('%j ends with %i', async (words, code) => {
    expect((await runDocent(['site', 'preview', ...words], settings)).code).toBe(code)
  })
})
