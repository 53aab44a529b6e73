import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { labelFor } from './folder-navigation.ts'
import type { NavigationItem } from './navigation-tree.ts'
import { readSiteModel } from './site-model.ts'

const readModel = (paths: string[]) =>
  readSiteModel(memoryTree(Object.fromEntries(paths.map((path) => [path, '']))), { outline: async () => null })

function draw(items: NavigationItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind !== 'group') return item.kind === 'page' ? item.route : item.href
    return { [item.root === null ? item.label : `${item.label} (${item.root})`]: draw(item.items) }
  })
}

test('without docs.json, folders are the navigation: by number, then by name, with the index or README as their page', async () => {
  const model = await readModel([
    'README.md',
    'LICENSE.md',
    'AGENTS.md',
    'zebra.md',
    '10-last.md',
    '2-first/index.md',
    '2-first/README.md',
    '2-first/b.md',
    '2-first/2fa.md',
    '2-first/deep/er/x.mdx',
    'guides/readme.md',
    'guides/page-10.md',
    'guides/page-9.md',
    'node_modules/x/y.md',
    '.github/z.md',
    'snippets/s.md',
    'assets/logo.svg',
  ])
  expect(draw(model.navigation.root.items)).toEqual([
    '/',
    {
      'First (/2-first)': ['/2-first/2fa', '/2-first/b', { Deep: [{ Er: ['/2-first/deep/er/x'] }] }, '/2-first/README'],
    },
    '/10-last',
    { 'Guides (/guides)': ['/guides/page-9', '/guides/page-10'] },
    '/zebra',
  ])
  expect(model.home).toBe('/')
  expect(model.placeOf('/LICENSE')).toBeNull()
  expect(model.pages.has('/LICENSE')).toBe(true)
  expect(model.pages.get('/')).toEqual({ kind: 'file', path: 'README.md' })
  expect(model.settings.name).toBeNull()
})

test('an index at the root is before a README, which then is a page of its own', async () => {
  const model = await readModel(['index.mdx', 'README.md', 'a.md'])
  expect(model.pages.get('/')).toEqual({ kind: 'file', path: 'index.mdx' })
  expect(draw(model.navigation.root.items)).toEqual(['/', '/a', '/README'])
})

test('folders deeper than anybody makes them are shown flat', async () => {
  const deep = `${'a/'.repeat(500)}x.md`
  const model = await readModel([deep, 'index.md'])
  expect(model.order).toEqual(['/', `/${deep.slice(0, -3)}`])
  expect(model.placeOf(model.order[1]!)?.groups.length).toBeLessThanOrEqual(50)
})

test.each([
  ['getting-started', 'Getting started'],
  ['01-setup', 'Setup'],
  ['3. More_things', 'More things'],
  ['2fa', '2fa'],
  ['404', '404'],
  ['2024-01', '2024 01'],
  ['API', 'API'],
  ['---', '---'],
])('the folder %s is called %s', (name, label) => {
  expect(labelFor(name)).toBe(label)
})
