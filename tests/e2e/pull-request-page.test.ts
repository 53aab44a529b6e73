import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openBrowser } from '#tests/harness/browser.ts'
import { importCommit, plainGit } from '#tests/harness/git-history.ts'
import { openDatabase } from '#tests/harness/open-database.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

const before = `---
title: Quickstart
---

Install the **command** with \`npm\`.

<Note>It needs Node 20.</Note>

\`\`\`json
{ "name": "acme" }
\`\`\`
`
const after = before
  .replace('Node 20', 'Node 24')
  .replace('Install', 'First, install')
  .concat(`\nA very long line without a place to break it: ${'abcdefghij'.repeat(30)}\n\n<Tip>New.</Tip>\n`)
const summary = `## What changed

- The **version** of Node in \`quickstart.mdx\`
- A tip, see [the docs](https://nodejs.org/en)

> Checked: 3 pages, no broken links.

<script>document.title = 'taken over'</script>`

// Needs Chromium; and what a browser shows does not depend on the database, so once is enough.
describe.runIf(chromiumPath !== null && inject('engine') === 'pglite')(
  'the page of a pull request in a browser',
  () => {
    let database: TestDatabase
    let server: ServerProcess
    let browser: Browser
    let path: string
    let gitDir: string

    beforeAll(async () => {
      database = await createTestDatabase()
      server = await startServerProcess(database.settings)
      const made = await server.fetch('/v1/projects', {
        method: 'POST',
        body: JSON.stringify({ name: 'Acme docs' }),
        headers: { 'content-type': 'application/json' },
      })
      const project = (await made.json()) as { id: string; slug: string }
      await server.end('SIGTERM')
      gitDir = join(database.settings.data, 'git', `${project.id}.git`)
      importCommit(gitDir, 'main', { files: [{ path: 'guide.mdx', content: before }] })
      plainGit(gitDir, ['update-ref', 'refs/heads/docent/job_1', 'refs/heads/main'])
      const files = [
        { path: 'guide.mdx', content: after },
        { path: 'images/logo.png', content: Buffer.from([137, 80, 78, 71, 0, 1, 2]) },
        { path: 'settings.yaml', content: 'name: acme\ncolors:\n  primary: "#0055ff"\n' },
      ]
      importCommit(gitDir, 'docent/job_1', {
        files,
        deleted: ['quickstart.mdx'],
        message: 'Raise the version of Node\n',
      })
      const { db, close } = await openDatabase(database.settings)
      const row = { projectId: project.id, number: 1, branch: 'docent/job_1', base: 'main', state: 'open' }
      await db
        .insertInto('pullRequests')
        .values({ ...row, title: 'Raise the version of Node to 24', body: summary })
        .execute()
      await close()
      server = await startServerProcess(database.settings)
      path = `/git/${project.slug}/pulls/1`
      browser = await openBrowser(chromiumPath!)
    })
    afterAll(async () => {
      await browser?.close()
      await server?.end('SIGTERM')
      await database?.delete()
    })

    /** The page, and everything it complained of or asked of others. */
    async function open(query: string, options: Parameters<Browser['newPage']>[0]) {
      const page = await browser.newPage(options)
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('request', (request) => !request.url().startsWith(server.url) && complaints.push(request.url()))
      await page.goto(server.url + path + query)
      return { page, complaints }
    }

    const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth') as Promise<number>

    test.each([
      ['a desk, light', '', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' as const }],
      [
        'a desk, dark, side by side',
        '?view=split',
        { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const },
      ],
      ['a phone', '', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const }],
      [
        'a phone, side by side',
        '?view=split',
        { viewport: { width: 360, height: 740 }, colorScheme: 'light' as const },
      ],
    ])(
      'is readable on %s, without a key on this machine, scripts or anything from elsewhere',
      async (_, query, options) => {
        const { page, complaints } = await open(query, options)
        expect(await page.title()).toContain('Raise the version of Node to 24')
        expect(await page.getByRole('heading', { name: /Raise the version/ }).isVisible()).toBe(true)
        expect(await page.getByText('4 files').isVisible()).toBe(true)
        expect(await page.locator('.diff').first().isVisible()).toBe(true)
        // Nothing hangs over the edge: long lines wrap.
        expect(await widthOf(page)).toBeLessThanOrEqual(options.viewport.width)
        const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        expect(background).toBe(options.colorScheme === 'dark' ? 'rgb(15, 19, 24)' : 'rgb(255, 255, 255)')
        expect(await page.locator('.t3').count()).toBeGreaterThan(0)
        expect(complaints).toEqual([])
        await page.close()
      },
    )

    test('is merged by its button, after the browser has asked for the key', async () => {
      const credentials = { username: 'me', password: testAdminKey }
      const { page } = await open('', { httpCredentials: credentials, javaScriptEnabled: false })
      await page.getByRole('button', { name: 'Merge into main' }).click()
      await page.getByText('merged', { exact: true }).waitFor()
      expect(page.url()).toBe(server.url + path)
      expect(plainGit(gitDir, ['rev-parse', 'main'])).toBe(plainGit(gitDir, ['rev-parse', 'docent/job_1']))
      expect(await page.getByRole('button').count()).toBe(0)
      await page.close()
    })
  },
)
