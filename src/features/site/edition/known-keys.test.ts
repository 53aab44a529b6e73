import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { createPageRenderer, type PageIndex, type PageRenderer } from '#features/content/service.ts'
import { memoryTree } from '../../../../tests/harness/memory-tree.ts'
import type { Edition } from './edition.ts'
import { openFolderEdition } from './folder-edition.ts'

const real = createPageRenderer()
afterAll(() => real.close())
const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })

// Only what pages were made from is looked at here.
const nothing: PageIndex = {
  fields: {
    ...{ title: null, sidebarTitle: null, description: null, icon: null, tag: null, url: null, mode: 'default' },
    ...{ isHidden: false, isDeprecated: false, noIndex: false, canonical: null, keywords: [], openapi: null },
    ...{ api: null, rss: false, hideToc: false, metatags: [] },
  },
  headings: [],
  sections: [],
  warnings: [],
}
const renderer: PageRenderer = { ...real, index: async (pages) => pages.map(() => nothing) }

const spec = (title: string) =>
  JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths: { '/x': { get: { summary: title } } } })
const choice = (...texts: string[]) => fc.option(fc.constantFrom(...texts), { nil: undefined })
const state = fc.record({
  'plain.mdx': choice('One.', 'Two.', 'Of {{name}}.'),
  'imports.mdx': choice('import N from "/snippets/n.mdx"\n\n<N />', 'import N from "./near.mdx"\n\n<N />'),
  'element.mdx': choice('<Snippet file="n.mdx" />'),
  'operation.mdx': choice('---\nopenapi: GET /x\n---\n', '---\nopenapi: "openapi.json GET /x"\n---\n'),
  'near.mdx': choice('Near.', 'import N from "/snippets/n.mdx"\n\n<N />'),
  'snippets/n.mdx': choice('A', 'B', 'import D from "./deep.mdx"\n\n<D />'),
  'snippets/deep.mdx': choice('C', 'D'),
  'openapi.json': choice(spec('One'), spec('Two')),
  'docs.json': choice(
    '{"name": "A", "variables": {"name": "x"}, "navigation": {"pages": ["plain"]}}',
    '{"name": "A", "variables": {"name": "y"}, "navigation": {"pages": ["plain"]}}',
    '{"name": "A", "api": {"openapi": "openapi.json"}, "navigation": {"pages": ["plain"]}}',
    '{"name": "A", "icons": {"library": "lucide"}, "navigation": {"pages": ["plain"]}}',
  ),
})

const keysOf = (edition: Edition) => Object.fromEntries([...edition.pages].map(([route, { key }]) => [route, key]))

test('after any changes, every page is known to be made from what it would be if nothing were known', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 4 }), async (states) => {
      let before: Edition | undefined
      for (const [at, files] of states.entries()) {
        const present = Object.entries(files).filter(([, text]) => text !== undefined)
        const tree = () => memoryTree(Object.fromEntries(present) as Record<string, string>)
        const alone = await openFolderEdition({ tree: tree(), id: `${at}`, renderer, log })
        const after = await openFolderEdition({
          tree: tree(),
          id: `${at}`,
          renderer,
          log,
          ...(before ? { before } : {}),
        })
        expect(keysOf(after)).toEqual(keysOf(alone))
        await alone.close()
        await before?.close()
        before = after
      }
      await before?.close()
    }),
    { numRuns: 40 },
  )
})
