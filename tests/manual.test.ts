// Runs on PGlite alone: the manual does not depend on the database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '#app/cli/cli.ts'
import { manualFiles, manualFolder } from '#app/manual.ts'
import { checkDocs } from '#features/content/service.ts'
import { settingsTable } from '#infra/config/describe.ts'
import { openFolderTree } from '#infra/files/folder-tree.ts'
import { createTestApp } from './harness/test-app.ts'

const read = (path: string) => readFileSync(join(manualFolder, path), 'utf8')

test('the manual has nothing that a reader would stumble over', async () => {
  await using tree = await openFolderTree(manualFolder)
  const { problems, pages } = await checkDocs(tree)
  expect(problems).toEqual([])
  expect(pages).toBeGreaterThan(20)
})

test('it is small enough to be the demo project of every first start', async () => {
  const files = await manualFiles()
  expect(files.reduce((bytes, { content }) => bytes + content.length, 0)).toBeLessThan(1_000_000)
})

test('it lists every setting as it is', () => {
  const table = settingsTable()
  expect(read('operate/configuration.mdx').includes(table), `The table should be:\n\n${table}\n`).toBe(true)
})

test('it lists every command as `docent help` does', async () => {
  let said = ''
  const stdout = { write: (text: string) => (said += text) }
  expect(await runCli(['help'], { stdout, stderr: stdout })).toBe(0)
  const help = said.trim()
  expect(read('operate/command-line.mdx').includes(help), `The block should be:\n\n${help}\n`).toBe(true)
})

test('it has the API as the server describes it; `npm test -- tests/manual -u` writes it anew', async () => {
  const it = await createTestApp({ settings: { baseUrl: 'http://127.0.0.1:4400' } })
  try {
    const { body } = await it.call('GET', '/openapi.json', { key: null })
    await expect(`${JSON.stringify(body, null, 1)}\n`).toMatchFileSnapshot(join(manualFolder, 'openapi.json'))
  } finally {
    await it.close()
  }
})
