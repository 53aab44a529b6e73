import { afterAll, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { createPageRenderer, type PageRenderer } from '#features/content/service.ts'
import { memoryTree } from '../../../../tests/harness/memory-tree.ts'
import type { Edition } from './edition.ts'
import { openFolderEdition } from './folder-edition.ts'

const real = createPageRenderer()
afterAll(() => real.close())
const indexed: string[] = []
const renderer: PageRenderer = {
  ...real,
  index(pages, options) {
    indexed.push(...pages.map(({ path }) => path))
    return real.index(pages, options)
  },
}
const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })
const find = (edition: Edition, text: string) =>
  edition.search({ text, limit: 5, language: null, version: null }).map(({ route }) => route)

test('a folder is an edition, and its next state costs only what changed', async () => {
  const files = { 'index.mdx': '# Hi\n\nA lion.', 'guide/start.md': 'Start here.', 'guide/a.png': 'png' }
  const first = await openFolderEdition({ tree: memoryTree(files), id: '1', renderer, log })
  expect([...first.pages.keys()].sort()).toEqual(['/', '/guide/start'])
  expect(find(first, 'lion')).toEqual(['/'])
  expect(String(await first.readAsset('guide/a.png'))).toBe('png')
  expect(first.updatedAt(first.pages.get('/')!)).toBe(null)
  indexed.length = 0

  const changed = { ...files, 'index.mdx': '# Hi\n\nA tiger.' }
  const second = await openFolderEdition({ tree: memoryTree(changed), id: '2', renderer, log, before: first })
  expect(indexed).toEqual(['index.mdx'])
  expect([find(first, 'lion'), find(second, 'lion'), find(second, 'tiger')]).toEqual([['/'], [], ['/']])
  await first.close()
  expect(find(second, 'start')).toEqual(['/guide/start'])
  expect(JSON.stringify(await second.render(second.pages.get('/')!))).toContain('tiger')
  await second.close()
  await second.close()
})

test('an edition that comes after a closed one starts anew', async () => {
  const tree = () => memoryTree({ 'index.mdx': 'A lion.' })
  const first = await openFolderEdition({ tree: tree(), id: '1', renderer, log })
  await first.close()
  const second = await openFolderEdition({ tree: tree(), id: '2', renderer, log, before: first })
  expect(find(second, 'lion')).toEqual(['/'])
  await second.close()
})
