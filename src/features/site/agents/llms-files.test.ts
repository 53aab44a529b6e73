import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { buildLlmsFiles, mostCharacters } from './llms-files.ts'

async function siteOf(files: Record<string, string>): Promise<ServedSite> {
  const edition = await standInEdition(files)
  const { projectId } = edition
  return {
    projectId,
    name: 'Project',
    edition,
    base: '/sites/x',
    origin: 'https://d.example',
    kind: 'live',
    editUrl: () => null,
  }
}

/** A site of so many pages, in groups of tabs. */
async function largeSite(pages: number, { tabs = 4, groups = 5, description = 'What it does. '.repeat(8) } = {}) {
  const files: Record<string, string> = {}
  const places: string[][][] = Array.from({ length: tabs }, () => Array.from({ length: groups }, () => []))
  for (let index = 0; index < pages; index++) {
    files[`p/page-${index}.mdx`] = `---\ntitle: Page ${index}\ndescription: ${description}\n---\nText.`
    places[index % tabs]![Math.floor(index / tabs) % groups]!.push(`p/page-${index}`)
  }
  const navigation = {
    tabs: places.map((inside, tab) => ({
      tab: `Tab ${tab}`,
      groups: inside.map((members, group) => ({ group: `Group ${group}`, pages: members })),
    })),
  }
  return await siteOf({ ...files, 'docs.json': JSON.stringify({ name: 'Large', navigation }) })
}

const pageLinks = (text: string) =>
  [...text.matchAll(/\]\((https:\/\/d\.example\/sites\/x\/[^)]*\.md)\)/g)].map((found) => found[1]!)
const partLinks = (text: string) =>
  [...text.matchAll(/\]\(https:\/\/d\.example\/sites\/x(\/llms\/\d+\.txt)\)/g)].map((found) => found[1]!)

/** All pages that one reaches from the root, in order. */
function reach(index: ReadonlyMap<string, string>, route = '/llms.txt'): string[] {
  const text = index.get(route)
  expect(text, route).toBeDefined()
  return [...pageLinks(text!), ...partLinks(text!).flatMap((part) => reach(index, part))]
}

test('a small site is one file, with what each page is about', async () => {
  const site = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Acme',
      description: 'How Acme works.',
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [{ group: 'Start', pages: ['index', { group: 'Inner', pages: ['a'] }, 'hidden', 'noindex'] }],
          },
          { tab: 'API', pages: ['b'] },
        ],
      },
    }),
    'index.mdx': '---\ntitle: Welcome\ndescription: The first page.\n---\n',
    'a.mdx': '---\ntitle: A [draft] `x`\n---\n',
    'b.mdx': '---\ntitle: B\n---\n',
    'hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\n',
    'noindex.mdx': '---\ntitle: Kept\nnoindex: true\n---\n',
    'outside.mdx': '---\ntitle: Outside\n---\n',
  })
  const index = buildLlmsFiles(site)
  expect([...index.keys()]).toEqual(['/llms.txt'])
  expect(index.get('/llms.txt')).toBe(
    [
      '# Acme',
      '> How Acme works.',
      'Links lead to Markdown. Every page has it at its address with .md after it, or for requests that accept text/markdown. All pages in one file: https://d.example/sites/x/llms-full.txt',
      '## Guides › Start',
      '- [Welcome](https://d.example/sites/x/index.md): The first page.',
      '## Guides › Start › Inner',
      '- [A \\[draft\\] \\`x\\`](https://d.example/sites/x/a.md)',
      '## API',
      '- [B](https://d.example/sites/x/b.md)\n',
    ].join('\n\n'),
  )
})

test('a page that stands in several places is listed once', async () => {
  const navigation = {
    groups: [
      { group: 'One', pages: ['a', 'b'] },
      { group: 'Two', pages: ['a'] },
    ],
  }
  const site = await siteOf({ 'docs.json': JSON.stringify({ name: 'X', navigation }), 'a.mdx': 'a', 'b.mdx': 'b' })
  expect(reach(buildLlmsFiles(site))).toHaveLength(2)
})

describe('a large site', () => {
  test('is split by its divisions, and every page is reached', async () => {
    const site = await largeSite(1_000)
    const index = buildLlmsFiles(site)
    expect(index.size).toBeGreaterThan(3)
    for (const text of index.values()) expect(text.length).toBeLessThanOrEqual(mostCharacters)
    expect(new Set(reach(index)).size).toBe(1_000)
    expect(reach(index)).toHaveLength(1_000)
    const root = index.get('/llms.txt')!
    expect(root).toContain('Tab 0 › Group 0')
    for (const part of partLinks(root)) {
      const tabs = new Set(index.get(part)!.match(/^## Tab \d/gm))
      expect(tabs.size, part).toBe(1)
    }
  })

  test('holds to the limit also where it has very many divisions, or one that is too long', async () => {
    for (const site of [await largeSite(600, { tabs: 300, groups: 1 }), await largeSite(900, { tabs: 1, groups: 1 })]) {
      const index = buildLlmsFiles(site)
      for (const text of index.values()) expect(text.length).toBeLessThanOrEqual(mostCharacters)
      expect(new Set(reach(index)).size).toBe(site.edition.pages.size)
    }
  })

  test('has a title, a summary and sections in every file', async () => {
    for (const [route, text] of buildLlmsFiles(await largeSite(1_000))) {
      expect(text, route).toMatch(/^# .+\n\n> .+\n\n.+\n\n## /)
    }
  })
})

test('whatever titles and descriptions say, lines stay lines and links stay links', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      async (a, b) => {
        const site = await siteOf({ 'docs.json': '{"navigation":{"pages":["a"]}}', 'a.mdx': 'x' })
        const page = site.edition.pages.get('/a')!
        const fields = { ...page.index.fields, description: b }
        const pages = new Map([['/a', { ...page, title: a || 'x', index: { ...page.index, fields } }]])
        const text = buildLlmsFiles({ ...site, edition: { ...site.edition, pages } }).get('/llms.txt')!
        expect(text.split('\n').filter((line) => line.startsWith('- ['))).toHaveLength(1)
        expect(pageLinks(text)).toEqual(['https://d.example/sites/x/a.md'])
        expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(2)
      },
    ),
    { numRuns: 50 },
  )
})
