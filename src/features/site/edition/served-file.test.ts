import { expect, test } from 'vitest'
import { readSiteModel } from '#features/content/service.ts'
import { memoryTree } from '../../../../tests/harness/memory-tree.ts'
import { isServedFile } from './served-file.ts'

const model = await readSiteModel(
  memoryTree({
    'docs.json': '{"name": "A", "navigation": {"$ref": "nav/pages.json"}}',
    'nav/pages.json': '{"pages": ["index"]}',
    '.mintignore': 'drafts/\n',
    'index.mdx': '# Hi',
    'openapi.json': '{}',
  }),
  { outline: async () => null },
)

test.each([
  ['images/logo.svg', true],
  ['logo.PNG', true],
  ['snippets/diagram.png', true],
  ['images/secret-menu.png', true],
  ['openapi.json', true],
  ['api/openapi.yaml', true],
  ['files/report.pdf', true],
  ['fonts/inter.woff2', true],
  // Pages are shown, and what they are made of is nobody's business.
  ['index.mdx', false],
  ['snippets/note.mdx', false],
  ['README.md', false],
  ['docs.json', false],
  ['mint.json', false],
  ['nav/pages.json', false],
  ['.mintignore', false],
  ['drafts/plan.pdf', false],
  // Nor is what else lies in a repository.
  ['.env', false],
  ['.env.txt', false],
  ['.github/logo.png', false],
  ['.gitbook/assets/logo.png', true],
  ['.gitbook/logo.png', false],
  ['.gitbook/assets/.git/logo.png', false],
  ['a/.hidden/logo.png', false],
  ['node_modules/x/logo.png', false],
  ['package.json', false],
  ['sub/package-lock.json', false],
  ['docker-compose.yml', false],
  ['service-account.json', false],
  ['config/credentials.yaml', false],
  ['src/main.py', false],
  ['Makefile', false],
  ['server.key', false],
  // A browser would run these as part of the site.
  ['custom.js', false],
  ['style.css', false],
  ['page.html', false],
  ['page.xhtml', false],
])('%s is served: %s', (path, isServed) => {
  expect(isServedFile(path, model)).toBe(isServed)
})
