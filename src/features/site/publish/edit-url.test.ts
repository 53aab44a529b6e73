import { expect, test } from 'vitest'
import type { Provider } from '#features/projects/service.ts'
import { editUrl } from './edit-url.ts'

test.each<[Provider, string, string | null]>([
  ['builtin', 'https://docs.example/git/a.git', null],
  ['github', 'https://github.com/acme/docs', 'https://github.com/acme/docs/edit/feat/x/a%20b/%23c.mdx'],
  ['gitlab', 'https://gitlab.com/acme/web/docs', 'https://gitlab.com/acme/web/docs/-/edit/feat/x/a%20b/%23c.mdx'],
  ['gitea', 'https://codeberg.org/acme/docs', 'https://codeberg.org/acme/docs/_edit/feat/x/a%20b/%23c.mdx'],
  [
    'bitbucket',
    'https://bitbucket.org/acme/docs',
    'https://bitbucket.org/acme/docs/src/feat/x/a%20b/%23c.mdx?mode=edit&at=feat/x',
  ],
])('a file on %s is edited on its host’s own page', (provider, repository, url) => {
  expect(editUrl({ provider, repository, branch: 'feat/x', path: 'a b/#c.mdx' })).toBe(url)
})
