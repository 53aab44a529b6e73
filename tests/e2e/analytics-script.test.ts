import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { browserArguments, openBrowser } from '#tests/harness/browser.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

// Headless Chromium says so in its user agent, and is then no person.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

// Needs Chromium; and what a browser sends does not depend on the database, so once is enough.
describe.runIf(chromiumPath !== null && inject('engine') === 'pglite')('the script on somebody else’s site', () => {
  let database: TestDatabase
  let server: ServerProcess
  let site: Server
  let siteUrl: string
  let browser: Browser

  beforeAll(async () => {
    database = await createTestDatabase()
    server = await startServerProcess(database.settings)
    site = createServer((request, response) => {
      const project = new URL(request.url!, 'http://site').searchParams.get('project')
      const tag = `<script defer src="${server.url}/analytics.js" data-project="${project}"></script>`
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Docs</title>${project ? tag : ''}<h1>Docs</h1>`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    browser = await openBrowser(chromiumPath!)
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
    await server?.end('SIGTERM')
    await database?.delete()
  })

  const json = { 'content-type': 'application/json' }
  async function createProject(origins = [siteUrl]): Promise<string> {
    const source = { provider: 'github', repository: 'acme/docs' }
    const body = JSON.stringify({ name: 'Docs', source })
    const made = await server.fetch('/v1/projects', { method: 'POST', headers: json, body })
    const { id } = (await made.json()) as { id: string }
    const settings = JSON.stringify({ origins })
    const changed = await server.fetch(`/v1/analytics/${id}/settings`, {
      method: 'PATCH',
      headers: json,
      body: settings,
    })
    expect(changed.status).toBe(200)
    return id
  }

  async function viewsOf(id: string): Promise<Record<string, number>> {
    const answer = await server.fetch(`/v1/analytics/${id}/views`)
    const { views } = (await answer.json()) as { views: { path: string; human: number }[] }
    return Object.fromEntries(views.map(({ path, human }) => [path, human]))
  }

  /** A page of the site with the script on it, and everything it sent to the server. */
  async function open(
    id: string,
    { context, path = '/', prepare }: { context?: BrowserContext; path?: string; prepare?: string } = {},
  ) {
    const own = context ?? (await browser.newContext({ userAgent }))
    const page = await own.newPage()
    if (prepare) await page.addInitScript(prepare)
    const sent: string[] = []
    const answers: number[] = []
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('request', (request) => request.url().includes('/collect') && sent.push(request.postData() ?? ''))
    page.on('response', (response) => response.url().includes('/collect') && answers.push(response.status()))
    await page.goto(`${siteUrl}${path}?project=${id}`)
    return { page, sent, answers, complaints, context: own }
  }

  /** Runs this in the page, and lets what it set off happen. */
  async function run(page: Page, code: string) {
    await page.evaluate(code)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))')
  }
  const pathsOf = (sent: string[]) => sent.map((body) => JSON.parse(body).path)

  test('counts the first page and every page that a single-page application goes to, once each', async () => {
    const id = await createProject()
    const { page, sent, answers, complaints, context } = await open(id)
    await run(page, `history.pushState({}, '', '/guide')`)
    await run(page, `location.hash = 'part'`)
    await run(page, `history.pushState({}, '', '/guide?tab=2')`)
    await run(page, `history.replaceState({}, '', '/guide/')`)
    await run(page, `history.pushState({}, '', '/old'); history.replaceState({}, '', '/new')`)
    await run(page, 'history.back()')
    await until(() => pathsOf(sent).length >= 4)
    await run(page, `history.pushState({}, '', '/guide#end')`)
    expect(pathsOf(sent)).toEqual(['/', '/guide', '/new', '/guide'])
    expect(JSON.parse(sent[1]!).referrer).toContain(siteUrl)
    await until(async () => (await viewsOf(id))['/new'] === 1 && (await viewsOf(id))['/guide'] === 2)
    expect(await viewsOf(id)).toEqual({ '/': 1, '/guide': 2, '/new': 1 })
    const { totals } = (await (await server.fetch(`/v1/analytics/${id}/visitors`)).json()) as { totals: object }
    expect(totals).toEqual({ human: 1, ai: 0, total: 1 })
    await until(() => answers.length === 4)
    expect(answers).toEqual([204, 204, 204, 204])
    expect(complaints).toEqual([])
    // Nothing is left behind in the browser.
    expect(await context.cookies([siteUrl, server.url])).toEqual([])
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0)
    await context.close()
  })

  test('counts a page that the browser had kept when somebody comes back to it', async () => {
    const id = await createProject()
    const { page, sent, context } = await open(id, { path: '/guide' })
    await run(page, `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))`)
    expect(pathsOf(sent)).toEqual(['/guide'])
    await run(page, `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await until(async () => (await viewsOf(id))['/guide'] === 2)
    await context.close()
  })

  test('counts a page that was prepared in advance only when it is shown', async () => {
    const id = await createProject()
    const prepare = `let hidden = true
      Object.defineProperty(Document.prototype, 'prerendering', { get: () => hidden })
      window.show = () => { hidden = false; document.dispatchEvent(new Event('prerenderingchange')) }`
    const { page, sent, context } = await open(id, { path: '/guide', prepare })
    await run(page, `history.replaceState({}, '', '/guide/install')`)
    expect(sent).toEqual([])
    await run(page, 'show()')
    await until(async () => (await viewsOf(id))['/guide/install'] === 1)
    expect(pathsOf(sent)).toEqual(['/guide/install'])
    await context.close()
  })

  test('sends nothing with Global Privacy Control', async () => {
    const id = await createProject()
    const prepare = `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`
    const { page, sent, context } = await open(id, { prepare })
    await run(page, `history.pushState({}, '', '/guide')`)
    expect(sent).toEqual([])
    expect(await viewsOf(id)).toEqual({})
    await context.close()
  })

  test('sends nothing with Do Not Track, as Chromium has it in its settings', async () => {
    const id = await createProject()
    const profile = await mkdtemp(join(tmpdir(), 'docent-profile-'))
    await mkdir(join(profile, 'Default'))
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify({ enable_do_not_track: true }))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath!,
      args: browserArguments,
      userAgent,
    })
    try {
      const { page, sent } = await open(id, { context })
      expect(await page.evaluate('navigator.doNotTrack')).toBe('1')
      await run(page, `history.pushState({}, '', '/guide')`)
      expect(sent).toEqual([])
      // Whoever sends one all the same is not counted by the server either.
      const url = `${server.url}/v1/analytics/${id}/collect`
      await run(page, `navigator.sendBeacon('${url}', '{"path":"/sent"}')`)
      await until(() => sent.length === 1)
      await run(page, '1')
      expect(await viewsOf(id)).toEqual({})
    } finally {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    }
  })

  test('is refused from a site that is not the project’s', async () => {
    const id = await createProject(['https://docs.example.com'])
    const { answers, context } = await open(id)
    await until(() => answers.length > 0)
    expect(answers).toEqual([403])
    expect(await viewsOf(id)).toEqual({})
    await context.close()
  })
})
