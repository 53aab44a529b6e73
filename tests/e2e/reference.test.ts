import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openBrowser } from '#tests/harness/browser.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

// Needs Chromium; and what a browser shows does not depend on the database, so once is enough.
describe.runIf(chromiumPath !== null && inject('engine') === 'pglite')('the reference page', () => {
  let database: TestDatabase
  let server: ServerProcess
  beforeAll(async () => {
    database = await createTestDatabase()
    server = await startServerProcess(database.settings)
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await database.delete()
  })

  test('shows every endpoint, under a policy without inline scripts, and asks no other host for anything', async () => {
    const browser = await openBrowser(chromiumPath!)
    const page = await browser.newPage()
    const elsewhere: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
    })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${server.url}/reference`)
    // What is further down is written when it is scrolled to; the sidebar names all of it.
    for (const name of ['Docent API', 'Projects', 'Keys', 'Audit', 'Operations', 'Create a project']) {
      await page.getByText(name, { exact: true }).first().waitFor()
    }
    await browser.close()
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
  })
})
