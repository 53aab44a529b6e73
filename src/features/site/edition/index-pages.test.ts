import { expect, test } from 'vitest'
import type { PageSource } from '#features/content/service.ts'
import { memoryTree } from '../../../../tests/harness/memory-tree.ts'
import { parts } from './index-pages.ts'

test('pages of a large specification go together, which is sent along with each part', () => {
  const tree = memoryTree({ 'api.json': ' '.repeat(600_000), 'a.md': 'a', 'b.md': ' '.repeat(400_000) })
  const operations = Array.from({ length: 120 }, (_, at): [string, PageSource] => [
    `/api/${at}`,
    { kind: 'operation', spec: 'api.json', method: 'GET', path: `/${at}`, title: `Get ${at}` },
  ])
  const file = (path: string): [string, PageSource] => [`/${path}`, { kind: 'file', path }]
  const found = [...parts(tree, [file('a.md'), file('b.md'), ...operations])]
  expect(found.map((part) => part.length)).toEqual([2, 50, 50, 20])
})
