import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initBareRepository } from '#infra/git/repository.ts'
import { runGit } from '#infra/git/run-git.ts'
import { writeCommit } from '#infra/git/write-commit.ts'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { largestPatch, measureChanges } from './change-size.ts'
import { createWorkingTree } from './working-tree.ts'

let folder: string
let gitDir: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-size-'))
  gitDir = join(folder, 'a.git')
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const docsPath = 'dócs'
const commit = { author: { name: 'A', email: 'a@example.com' }, date: new Date(0), message: 'x', root: docsPath }

/** The patch as git prints it, and what was worked out without git. */
async function sizes(before: Record<string, string>, after: Record<string, string | null>) {
  const tree = createWorkingTree(memoryTree(before), { docsPath, openPaths: [] })
  for (const [path, text] of Object.entries(after)) {
    if (text === null) tree.delete(path)
    else tree.write(path, Buffer.from(text))
  }
  const files = Object.entries(before).map(([path, text]) => ({ path, content: Buffer.from(text) }))
  const parent = await writeCommit(gitDir, { ...commit, parent: null, changes: files })
  const next = await writeCommit(gitDir, { ...commit, parent, changes: tree.changes() })
  const args = ['diff-tree', '-r', '-p', '--no-ext-diff', '--no-textconv', '--no-renames', parent, next]
  const patch = (await runGit({ gitDir, args })).length
  return { patch, most: await largestPatch(tree), least: (await measureChanges(tree)).bytes }
}

const line = fc.constantFrom('', 'a', 'function of many words that git shows above what changed {', 'Ünïcödé')
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'))
const path = fc.constantFrom('a.mdx', 'ä/ö.mdx', 'b c.mdx')

test('no patch is larger than was worked out, or smaller', async () => {
  const files = fc.dictionary(path, text)
  const changed = fc.dictionary(path, fc.option(text))
  await fc.assert(
    fc.asyncProperty(files, changed, async (before, after) => {
      const { patch, most, least } = await sizes(before, after)
      expect(patch).toBeLessThanOrEqual(most)
      expect(least).toBeLessThanOrEqual(patch)
    }),
    { numRuns: 40 },
  )
})

test('a line here and there has a note above each, and is still no more than was worked out', async () => {
  const lines = Array.from({ length: 4_000 }, () => '')
  const edited = lines.map((_, index) => (index % 8 === 0 ? 'x' : ''))
  const { patch, most } = await sizes({ 'a.mdx': lines.join('\n') }, { 'a.mdx': edited.join('\n') })
  expect(patch).toBeGreaterThan(15_000)
  expect(patch).toBeLessThanOrEqual(most)
})

test('a word in some pages is known to be a small patch', async () => {
  const page = `${'Some words of a paragraph, which goes on for a while. '.repeat(4)}\n\n`.repeat(20)
  const before = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.mdx`, page]))
  const after = Object.fromEntries(Object.keys(before).map((name) => [name, page.replace('Some', 'Any')]))
  expect((await sizes(before, after)).most).toBeLessThan(1_000_000)
})
