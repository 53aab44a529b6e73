import { expect, test } from 'vitest'
import { editableTree } from '#tests/harness/memory-tree.ts'
import { outlineNavigation } from './outline-navigation.ts'

test('each list of pages is one line, by the names that lead to it', async () => {
  const navigation = {
    tabs: [
      {
        tab: 'Docs',
        groups: [
          { group: 'Start', pages: ['index', { group: 'Deep', root: 'deep/index', pages: ['deep/a'] }, 'last'] },
          { group: 'Reference', openapi: 'api.json' },
        ],
      },
      { $ref: './fr.json' },
    ],
  }
  const tree = editableTree({
    'docs.json': JSON.stringify({ favicon: '/favicon.svg', navigation }),
    'fr.json': JSON.stringify({ tab: 'Français', pages: ['fr/index'] }),
  })
  expect(await outlineNavigation(tree)).toBe(
    [
      'Docs / Start: index, last',
      'Docs / Start / Deep: deep/index, deep/a',
      'Docs / Reference: api.json',
      'Français: fr/index',
    ].join('\n'),
  )
})

test('pages outside of groups stand at the top; a site without configuration has none', async () => {
  const tree = editableTree({ 'docs.json': '{"navigation": {"pages": ["index", "setup"]}}' })
  expect(await outlineNavigation(tree)).toBe('(top): index, setup')
  expect(await outlineNavigation(editableTree({ 'index.mdx': 'x' }))).toBeNull()
})
