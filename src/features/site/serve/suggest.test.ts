import { expect, test } from 'vitest'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import type { SearchHit } from '../edition/edition.ts'
import { suggestPages } from './suggest.ts'

const files = {
  'index.mdx': '# Start',
  'guides/setup.mdx': '---\ntitle: Set up\n---\nInstall it.',
  'guides/install.mdx': '---\ntitle: Install\n---\nHow.',
}

test.each([
  ['/old/setup', '/guides/setup'],
  ['/guides/setpu', '/guides/setup'],
  ['/guides/setup.html', '/guides/setup'],
  ['/install-it', '/guides/setup'],
])('%s was perhaps %s', async (route, expected) => {
  const edition = await standInEdition(files)
  expect(suggestPages(edition, route).map((page) => page.route)).toContain(expected)
})

test('those who ask for one missing page after the other get what costs little', async () => {
  const edition = await standInEdition(files)
  let searches = 0
  const watched = {
    ...edition,
    search(): SearchHit[] {
      searches++
      return []
    },
  }
  for (let index = 0; index < 1_000; index++) suggestPages(watched, `/wp-admin/${index}`)
  expect(searches).toBeLessThan(100)
  // A page of the same name is known without looking for it.
  expect(suggestPages(watched, '/old/setup').map(({ route }) => route)).toEqual(['/guides/setup'])
})
