import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import type { NavigationLevel } from './navigation-tree.ts'
import { readSiteModel } from './site-model.ts'

const pageNames = ['introduction', 'guides/a', 'guides/b', 'api/one', 'api/two', 'sdk/x', 'de/start']
const pages = Object.fromEntries(pageNames.map((path) => [`${path}.mdx`, '']))
const group = (name: string, ...paths: unknown[]) => ({ group: name, pages: paths })
const readMint = (mint: object, files: Record<string, string> = {}) => {
  const tree = memoryTree({ 'mint.json': JSON.stringify(mint), ...pages, ...files })
  return readSiteModel(tree, {
    outline: async () => ({
      title: null,
      operations: [
        {
          method: 'GET',
          path: '/x',
          title: 'X',
          tag: null,
          operationId: null,
          isDeprecated: false,
          isHidden: false,
          href: null,
        },
      ],
    }),
  })
}

function draw({ divisions, items }: NavigationLevel): unknown[] {
  return [
    ...divisions.map(({ kind, label, href, level }) => ({ [`${kind} ${label}`]: href ?? draw(level) })),
    ...items.map((item) => (item.kind === 'group' ? item.label : item.kind === 'page' ? item.route : item.href)),
  ]
}

test('groups belong to the tab or anchor under whose address their first page lies', async () => {
  const { navigation, order, problems } = await readMint({
    name: 'Old',
    primaryTab: { name: 'Docs' },
    tabs: [
      { name: 'Docs', url: 'docs' },
      { name: 'API', url: 'api' },
      { name: 'Blog', url: 'https://example.com/blog' },
    ],
    topAnchor: { name: 'Start', icon: 'flag' },
    anchors: [
      { name: 'Guides', url: '/guides/', icon: 'book' },
      { name: 'Community', url: 'https://example.com', icon: 'discord' },
    ],
    navigation: [
      group('Welcome', 'introduction'),
      group('Guides', group('Inner', 'guides/a'), 'guides/b'),
      group('Endpoints', 'api/one', 'api/two'),
    ],
  })
  expect(draw(navigation.root)).toEqual([
    { 'tab Docs': [{ 'anchor Start': ['Welcome'] }, { 'anchor Guides': ['Guides'] }] },
    { 'tab API': ['Endpoints'] },
    { 'tab Blog': 'https://example.com/blog' },
  ])
  expect(navigation.global.map(({ kind, label, href, icon }) => [kind, label, href, icon])).toEqual([
    ['anchor', 'Community', 'https://example.com', 'discord'],
  ])
  expect(order).toEqual(['/introduction', '/guides/a', '/guides/b', '/api/one', '/api/two'])
  expect(problems).toEqual([])
})

test('versions hold the groups that name them, and those that name none', async () => {
  const { navigation } = await readMint({
    versions: ['v2', { name: 'v1', default: true }],
    navigation: [
      { ...group('New', 'guides/a'), version: 'v2' },
      { ...group('Old', 'guides/b'), version: 'v1' },
      group('All', 'introduction'),
    ],
  })
  expect(draw(navigation.root)).toEqual([{ 'version v2': ['New', 'All'] }, { 'version v1': ['Old', 'All'] }])
  expect(navigation.root.divisions.map(({ isDefault }) => isDefault)).toEqual([false, true])
  const languages = await readMint({
    versions: [
      { name: 'English', locale: 'en' },
      { name: 'Deutsch', locale: 'de' },
    ],
    navigation: [
      { ...group('A', 'introduction'), version: 'en' },
      { ...group('B', 'de/start'), version: 'de' },
    ],
  })
  expect(draw(languages.navigation.root)).toEqual([{ 'language English': ['A'] }, { 'language Deutsch': ['B'] }])
})

test('a tab with a specification holds its pages', async () => {
  const mint = {
    openapi: 'openapi.json',
    tabs: [{ name: 'API', url: 'reference', openapi: 'openapi.json' }],
    navigation: [group('G', 'introduction')],
  }
  const model = await readMint(mint, { 'openapi.json': '{"openapi": "3.0.0"}' })
  expect(draw(model.navigation.root)).toEqual([{ 'tab Documentation': ['G'] }, { 'tab API': ['/api-reference/x'] }])
  expect(model.settings.api.openapi).toEqual(['openapi.json'])
})

test('what stands around the pages is said in other fields', async () => {
  const { settings, problems } = await readMint({
    name: 'Old',
    logo: { light: '/l.svg', dark: '/d.svg', href: 'https://example.com' },
    favicon: '/f.png',
    colors: {
      primary: '#FFF',
      light: '#000000',
      background: { dark: '#0f1117' },
      anchors: { from: '#fff', to: '#000' },
    },
    topbarLinks: [{ name: 'Support', url: 'mailto:a@example.com' }],
    topbarCtaButton: { type: 'github', url: 'https://github.com/x/y' },
    footerSocials: { twitter: 'https://twitter.com/x' },
    footer: { links: [{ title: 'Company', links: [{ label: 'Jobs', url: '/jobs' }] }] },
    modeToggle: { default: 'dark', isHidden: true },
    font: { headings: { family: 'Lora' }, body: { family: 'Inter', weight: 450 } },
    metadata: { 'og:image': 'https://example.com/x.png' },
    seo: { indexHiddenPages: true },
    api: {
      baseUrl: 'https://api.example.com',
      auth: { method: 'key', name: 'x-api-key' },
      request: { example: { languages: ['curl', 'python'] } },
    },
    search: { prompt: 'Ask' },
    navigation: [group('G', 'introduction')],
  })
  expect(problems).toEqual([])
  expect(settings).toMatchObject({
    name: 'Old',
    logo: { light: '/l.svg', dark: '/d.svg', href: 'https://example.com' },
    colors: { primary: '#ffffff', light: '#000000', dark: '#ffffff', backgroundDark: '#0f1117' },
    navbar: {
      links: [{ label: 'Support', href: 'mailto:a@example.com' }],
      primary: { type: 'github', label: 'GitHub', href: 'https://github.com/x/y', icon: 'github' },
    },
    footer: {
      socials: [{ name: 'twitter', href: 'https://twitter.com/x' }],
      columns: [{ header: 'Company', items: [{ label: 'Jobs', href: '/jobs' }] }],
    },
    appearance: { default: 'dark', isFixed: true },
    fonts: { heading: { family: 'Lora' }, body: { family: 'Inter', weight: '450' } },
    metatags: [['og:image', 'https://example.com/x.png']],
    indexing: 'all',
    searchPrompt: 'Ask',
    api: {
      baseUrls: ['https://api.example.com'],
      auth: { method: 'key', name: 'x-api-key' },
      exampleLanguages: ['curl', 'python'],
    },
  })
})

test('an older list of socials and a plain button are read', async () => {
  const { settings } = await readMint({
    footerSocials: [{ type: 'github', url: 'https://github.com/x' }],
    topbarCtaButton: { name: 'Start', url: '/introduction' },
    navigation: [group('G', 'introduction')],
  })
  expect(settings.footer.socials).toEqual([{ name: 'github', href: 'https://github.com/x' }])
  expect(settings.navbar.primary).toEqual({ type: 'button', label: 'Start', href: '/introduction', icon: null })
})
