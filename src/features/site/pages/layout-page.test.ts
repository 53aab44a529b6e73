import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { standInSite } from '#tests/harness/stand-in-site.ts'
import { layoutMessage, messagePolicy } from './layout-message.ts'
import { layoutNotFound } from './layout-not-found.ts'
import { layoutPage } from './layout-page.ts'

const pages = {
  '/index': 'Welcome',
  '/setup': { title: 'Set up Acme', sidebarTitle: 'Set up', description: 'How to `install` it.', tag: 'NEW' },
  '/deep/one': 'One',
  '/deep/two': 'Two',
  '/api/list': { title: 'List things', openapi: 'GET /things' },
  '/api/old': { title: 'Old', isHidden: true },
  '/loose': 'Outside',
}
const config = {
  name: 'Acme docs',
  colors: { primary: '#16a34a' },
  navbar: {
    links: [{ label: 'Blog', href: 'https://blog.example.com' }],
    primary: { type: 'button', label: 'Start', href: '/setup' },
  },
  footer: { socials: { github: 'https://github.com/acme' } },
  navigation: {
    tabs: [
      {
        tab: 'Guides',
        groups: [{ group: 'Start', pages: ['index', 'setup', { group: 'Deeper', pages: ['deep/one', 'deep/two'] }] }],
      },
      { tab: 'API', groups: [{ group: 'Things', pages: ['api/list', 'api/old'] }] },
    ],
  },
}

async function show(route: string, more: Partial<Parameters<typeof standInSite>[0]> = {}, body = '<p>Words.</p>') {
  const site = await standInSite({ config, pages, ...more })
  return layoutPage({ site, page: site.edition.pages.get(route)!, body, needsMermaid: false })
}

test('a page says what it is and where its Markdown lies', async () => {
  const page = await show('/setup', { site: { base: '/sites/acme' } })
  expect(page).toContain('<title>Set up Acme - Acme docs</title>')
  expect(page).toContain('<link rel="canonical" href="https://docs.example.com/sites/acme/setup">')
  expect(page).toContain('<link rel="alternate" type="text/markdown" href="/sites/acme/setup.md">')
  expect(page).toContain('<p class="page-description">How to <code>install</code> it.</p>')
  expect(page).toContain('<div class="prose">\n<p>Words.</p>')
})

test('the sidebar is that of the current tab, with the page marked and its branch open', async () => {
  const page = await show('/deep/two')
  expect(page).toContain('<a href="/deep/two" aria-current="page"><span>Two</span></a>')
  expect(page.match(/aria-current="page"/g)).toHaveLength(1)
  expect(page).toMatch(/<details open><summary><span>Deeper<\/span>/)
  expect(page).toMatch(/<a href="\/index" aria-current="true">Guides<\/a>|<a href="\/" aria-current="true">Guides<\/a>/)
  expect(page).not.toContain('List things')
  expect(await show('/setup')).toMatch(/<details><summary><span>Deeper<\/span>/)
})

test('the sidebar of one page is not changed by another', async () => {
  const site = await standInSite({ config, pages })
  const lay = (route: string) =>
    layoutPage({ site, page: site.edition.pages.get(route)!, body: '', needsMermaid: false })
  const first = lay('/deep/one')
  lay('/deep/two')
  lay('/setup')
  expect(lay('/deep/one')).toBe(first)
})

test('an operation has its method beside its name, and hidden pages are not listed', async () => {
  const page = await show('/api/list')
  expect(page).toContain('<span class="method" data-method="get">GET</span><span>List things</span>')
  expect(page).not.toContain('/api/old')
})

test('previous and next stay inside the tab', async () => {
  const first = await show('/setup')
  expect(first).toMatch(/<a class="prev" rel="prev" href="\/[a-z]*">/)
  expect(first).toContain('<a class="next" rel="next" href="/deep/one">')
  expect(await show('/deep/two')).not.toContain('class="next"')
})

test('a page outside the navigation is read beside that of the first page', async () => {
  const page = await show('/loose')
  expect(page).toContain('<span>Set up</span>')
  expect(page).not.toContain('aria-current="page"')
})

test('a title that the content begins with is not shown twice', async () => {
  const page = await show('/setup', {}, '<h1 id="x">Set up Acme</h1>\n<p>Words.</p>')
  expect(page.match(/<h1/g)).toHaveLength(1)
  expect(await show('/setup', {}, '<h1>Another</h1>')).toContain('<h1>Another</h1>')
})

test.each([
  ['custom', { sidebar: false, title: false }],
  ['frame', { sidebar: true, title: false }],
  ['center', { sidebar: false, title: true }],
  ['wide', { sidebar: true, title: true }],
] as const)('a page in %s mode has what that mode shows', async (mode, { sidebar, title }) => {
  const page = await show('/setup', { pages: { ...pages, '/setup': { title: 'Set up', mode } } })
  expect(page.includes('id="docent-sidebar"')).toBe(sidebar)
  expect(page.includes('<h1>Set up</h1>')).toBe(title)
})

test('a long name may be parted where its parts join', async () => {
  const page = await show('/setup', { pages: { ...pages, '/setup': 'CreateConnectorTemplate core.v1.List' } })
  expect(page).toContain('<h1>Create<wbr>Connector<wbr>Template core.<wbr>v1.<wbr>List</h1>')
})

test('contents list the headings, unless there are few or the page wants none', async () => {
  const headings = [2, 3, 4].map((depth) => ({ depth, id: `part ${depth}`, title: `Part ${depth}` }))
  const page = await show('/setup', { headings })
  expect(page).toContain('<li data-depth="3"><a href="#part%203">Part 3</a></li>')
  expect(page).not.toContain('Part 4')
  expect(await show('/setup', { headings: headings.slice(0, 1) })).not.toContain('On this page')
})

test('the reader of another language or version gets the same page there, where it is', async () => {
  const group = (...routes: string[]) => [{ group: 'Start', pages: routes }]
  const page = await show('/en/setup', {
    pages: {
      '/en/index': 'Home',
      '/en/setup': 'Set up',
      '/de/index': 'Start',
      '/de/setup': 'Einrichten',
      '/fr/index': 'Accueil',
    },
    config: {
      ...config,
      navigation: {
        languages: [
          { language: 'en', groups: group('en/index', 'en/setup') },
          { language: 'de', groups: group('de/index', 'de/setup') },
          { language: 'fr', groups: group('fr/index') },
        ],
      },
    },
  })
  expect(page).toContain('<html lang="en">')
  expect(page).toMatch(/href="\/de\/setup" lang="de" hreflang="de"/)
  expect(page).toMatch(/href="\/fr(?:\/index)?" lang="fr"/)
  expect(page).toContain('data-language="en"')
})

test('a large navigation shows the branch of the page, and of others where they begin', async () => {
  const routes = Array.from({ length: 700 }, (_, index) => `/part${index % 7}/page${index}`)
  const site = await standInSite({
    pages: Object.fromEntries(routes.map((route) => [route, `Title of ${route}`])),
    config: {
      name: 'Large',
      navigation: {
        groups: Array.from({ length: 7 }, (_, part) => ({
          group: `Part ${part}`,
          pages: routes.filter((route) => route.startsWith(`/part${part}/`)).map((route) => route.slice(1)),
        })),
      },
    },
  })
  const page = layoutPage({ site, page: site.edition.pages.get('/part3/page10')!, body: '', needsMermaid: false })
  expect(page).toContain('href="/part3/page17"')
  expect(page).toContain('<a class="closed" href="/part4/page4"><span>Part 4</span>')
  expect(page).not.toContain('href="/part4/page11"')
})

test('of very many pages beside each other, those near the page are shown, and where the others go on', async () => {
  const routes = Array.from({ length: 1000 }, (_, index) => `/page${index}`)
  const site = await standInSite({
    pages: Object.fromEntries(routes.map((route) => [route, `Title of ${route}`])),
    config: { name: 'Flat', navigation: { pages: routes.map((route) => route.slice(1)) } },
  })
  const page = layoutPage({ site, page: site.edition.pages.get('/page500')!, body: '', needsMermaid: false })
  expect(page).toContain('<a href="/page500" aria-current="page">')
  expect(page).toContain('<a class="more" href="/page349">Earlier pages…</a>')
  expect(page).toContain('<a class="more" href="/page650">More pages…</a>')
  expect(page.length).toBeLessThan(60_000)
})

test('a group that is a page itself leads there, and is open on it', async () => {
  const rooted = {
    ...config,
    navigation: {
      groups: [{ group: 'Start', pages: ['index', { group: 'Deeper', root: 'deep/one', pages: ['deep/two'] }] }],
    },
  }
  const page = await show('/deep/one', { config: rooted })
  expect(page).toMatch(/<details open><summary><span>Deeper<\/span>/)
  expect(page.match(/aria-current="page"/g)).toHaveLength(1)
})

test('a preview says of which branch and commit it is, and is kept from search engines', async () => {
  const site = { kind: 'preview' as const, base: '/previews/acme/fix~typo@abc.def' }
  const page = await show('/setup', { site })
  expect(page).toMatch(/Preview of <strong>fix\/typo<\/strong> at <code>c0ffee1<\/code>/)
  expect(page).toContain('<meta name="robots" content="noindex">')
  const live = await show('/setup')
  expect(live).not.toContain('noindex')
  expect(live).not.toContain('Preview of')
})

test('a banner that can be closed has a key that changes with its words', async () => {
  const withBanner = async (content: string) =>
    await show('/setup', { config: { ...config, banner: { content, dismissible: true } } })
  const [one, other] = [await withBanner('See **v2** [here](/setup)'), await withBanner('See v3')]
  expect(one).toContain('<p>See <strong>v2</strong> <a href="/setup">here</a></p>')
  const key = (page: string) => /data-banner="(\w+)"/.exec(page)![1]
  expect(key(one)).not.toBe(key(other))
})

test('examples stand beside the content, and the contents make room for them', async () => {
  const example =
    '<div class="example" data-example="request"><div class="code-block"><pre><code>curl</code></pre></div></div>'
  const page = await show('/setup', {}, `<p>Before.</p>${example}<p>After.</p>`)
  expect(page).toContain('data-layout="examples"')
  expect(page).toContain(`<aside class="examples" aria-label="Examples">${example}</aside>`)
  expect(page).toContain('<p>Before.</p><p>After.</p>')
})

test('a page that is not there is told with the pages that may have been meant', async () => {
  const site = await standInSite({ config, pages })
  const page = layoutNotFound({ site, route: '/set-up', suggestions: [site.edition.pages.get('/setup')!] })
  expect(page).toContain('There is no page at <code>/set-up</code>.')
  expect(page).toContain('<a href="/setup"><span><strong>Set up Acme</strong>')
  expect(page).toContain('<meta name="robots" content="noindex">')
})

test('a site without pages says so, wherever one comes to it', async () => {
  const site = await standInSite({ config, pages: {} })
  const page = layoutNotFound({ site, route: '/', suggestions: [] })
  expect(page).toContain('<h1>No pages yet</h1>')
  expect(page).not.toContain('There is no page at')
})

test('a message needs no site, and its style is the one that its policy allows', () => {
  const page = layoutMessage({ title: 'Not published yet', text: 'Come back <soon>.' })
  expect(page).toContain('<p>Come back &lt;soon&gt;.</p>')
  const style = /<style>([^<]*)<\/style>/.exec(page)![1]!
  expect(messagePolicy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`)
})
