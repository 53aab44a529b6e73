// Runs on PGlite alone: what readers get of a site is made of its files; publishing.test.ts runs on both.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunnerOptions, runChecks } from 'afdocs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolderTree } from '#infra/files/folder-tree.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { createSiteStage } from '#tests/harness/site-stage.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const manual = join(import.meta.dirname, '..', '..', 'docs')

let it: TestApp
let origin: string
beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  it = await createTestApp({ settings: { baseUrl: origin } })
  await it.app.listen({ host: '127.0.0.1', port })
})
afterAll(() => it.close())

async function filesOf(folder: string): Promise<Record<string, string>> {
  await using tree = await openFolderTree(folder)
  const files = [...tree.entries.keys()].map(async (path) => [path, await readFile(join(folder, path), 'utf8')])
  return Object.fromEntries(await Promise.all(files))
}

/** What afdocs says of a site of these files, but for what passes. */
async function faultsOf(files: Record<string, string>, options: Partial<RunnerOptions> = {}): Promise<string[]> {
  const stage = await createSiteStage(it)
  stage.commit(files)
  const { results } = await runChecks(`${origin}/sites/${stage.slug}/`, {
    requestDelay: 0,
    maxConcurrency: 4,
    maxLinksToTest: 30,
    samplingStrategy: 'deterministic',
    networkContext: 'ci',
    ...options,
  })
  expect(results.length).toBeGreaterThan(5)
  return results
    .filter(({ status }) => status !== 'pass')
    .map(({ id, status, message }) => `${status} ${id}: ${message}`)
}

test('our manual passes every check of agent-friendly documentation', async () => {
  // There is nothing to sign in to.
  expect(await faultsOf(await filesOf(manual))).toEqual([expect.stringMatching(/^skip auth-alternative-access/)])
})

test('so does the index of a site that is too large for one file', async () => {
  const pages = Array.from({ length: 300 }, (_, index) => `p/page-${index}`)
  const description = 'What this page tells, in as many words as authors like to give it, and then some more of them.'
  const files = Object.fromEntries(
    pages.map((path, index) => [
      `${path}.mdx`,
      `---\ntitle: Page ${index}\ndescription: ${description.repeat(2)}\n---\n\nWords.\n`,
    ]),
  )
  const groups = [0, 1, 2].map((part) => ({
    group: `Part ${part}`,
    pages: pages.filter((_, index) => index % 3 === part),
  }))
  const config = { name: 'Large', colors: { primary: '#335577' }, navigation: { groups } }
  const ofIndex = ['exists', 'valid', 'size', 'links-resolve', 'links-markdown', 'coverage'].map(
    (name) => `llms-txt-${name}`,
  )
  expect(await faultsOf({ ...files, 'docs.json': JSON.stringify(config) }, { checkIds: ofIndex })).toEqual([])
})
