// Runs on PGlite alone: the manual does not depend on the database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '#app/cli/cli.ts'
import { manualFiles, manualFolder } from '#app/manual.ts'
import { createLog } from '#base/log.ts'
import { checkDocs, createPageRenderer } from '#features/content/service.ts'
import { openFolderEdition } from '#features/site/edition/folder-edition.ts'
import { settingsTable } from '#infra/config/describe.ts'
import { openFolderTree } from '#infra/files/folder-tree.ts'
import { createTestApp } from './harness/test-app.ts'

const read = (path: string) => readFileSync(join(manualFolder, path), 'utf8')
const log = createLog({ level: 'warn', format: 'json', destination: process.stderr })
const readme = async () => ({ path: 'README.md', content: read('../README.md') })

function disposable<T extends { close(): Promise<void> }>(it: T) {
  return { it, [Symbol.asyncDispose]: () => it.close() }
}

/** What stands behind `npx docent`, in blocks of code and in sentences. */
function commandLines(text: string): string[] {
  const joined = text.replace(/\\\n\s*/g, '')
  return [...joined.matchAll(/npx\s+docent\s+((?:'[^'\n]*'|"[^"\n]*"|[^`#|>;&\n]|\n(?=[^`\n]*`[^`]))+)/g)].map(
    ([, rest]) => rest!.trim(),
  )
}

function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare!)
}

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

test('every page of it is shown as it was meant', async () => {
  await using renderer = disposable(createPageRenderer())
  const tree = await openFolderTree(manualFolder)
  await using edition = disposable(await openFolderEdition({ tree, id: 'manual', renderer: renderer.it, log }))
  expect(edition.it.warnings).toEqual([])
  for (const page of edition.it.pages.values()) expect((await edition.it.render(page)).isLost, page.route).toBeFalsy()
})

test('it calls commands as they are, and so does the README', async () => {
  const files = [...(await manualFiles()).filter(({ path }) => /\.mdx?$/.test(path)), await readme()]
  const lines = files.flatMap(({ path, content }) => commandLines(String(content)).map((line) => ({ path, line })))
  expect(lines.length).toBeGreaterThan(50)
  for (const { path, line } of lines) {
    let said = ''
    const stream = { write: (text: string) => (said += text) }
    // With it nothing is done, but what is written around it has to be known.
    const code = await runCli([...words(line), '--help'], { stdout: stream, stderr: stream })
    expect([path, line, code, said], said).toEqual([
      path,
      line,
      0,
      expect.stringContaining(`Usage: docent ${words(line)[0]}`),
    ])
  }
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
