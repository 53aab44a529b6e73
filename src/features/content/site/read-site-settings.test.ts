import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { readDocsConfig } from './docs-config.ts'
import { isRightToLeft, languageName, standardLanguage } from './languages.ts'
import { readSiteSettings } from './read-site-settings.ts'
import { safeAddress, safeImage } from './safe-address.ts'

const read = async (config: unknown) =>
  readSiteSettings(await readDocsConfig(memoryTree({ 'docs.json': JSON.stringify(config, null, 2) })))

test('every field is read', async () => {
  const { settings, problems } = await read({
    name: ' Docs ',
    description: 'About it',
    colors: { primary: '#0D9373', light: '#5d9', dark: '#0a7a60' },
    background: { color: { light: '#F8FAFC', dark: '#0F172A' }, decoration: 'grid' },
    logo: { light: '/logo/light.svg', dark: 'logo/dark.svg', href: 'example.com' },
    favicon: '/favicon.svg',
    fonts: {
      family: 'Open Sans',
      weight: 400,
      heading: { family: 'Mine', source: '/fonts/mine.woff2', format: 'woff2' },
    },
    appearance: { default: 'dark', strict: true },
    banner: { content: '**New** [x](/x)', dismissible: true },
    navbar: {
      links: [
        { label: 'Blog', href: 'https://example.com/blog', icon: 'newspaper' },
        { type: 'discord', href: 'https://discord.gg/x' },
      ],
      primary: { type: 'button', label: 'Start', href: '/quickstart' },
    },
    footer: {
      socials: { x: 'https://x.com/a', github: 'https://github.com/a' },
      links: [{ header: 'Legal', items: [{ label: 'Terms', href: '/terms' }] }, { items: [] }],
    },
    icons: { library: 'lucide' },
    styling: { eyebrows: 'breadcrumbs' },
    seo: { metatags: { 'og:locale': 'en_US', robots: 'noindex' }, indexing: 'all' },
    search: { prompt: 'Search…' },
    errors: { '404': { redirect: true, title: 'Lost', description: 'Go [home](/)' } },
    api: {
      openapi: { source: 'openapi.json', directory: 'api' },
      asyncapi: ['events.yaml'],
      examples: { languages: ['curl', 'go'] },
      mdx: { server: ['https://api.example.com'], auth: { method: 'bearer' } },
    },
    variables: { version: '1.2', 'api-url': 'https://api.example.com', port: 80 },
    navigation: {},
  })
  expect(problems).toEqual([])
  expect(settings).toEqual({
    name: 'Docs',
    description: 'About it',
    colors: {
      primary: '#0d9373',
      light: '#55dd99',
      dark: '#0a7a60',
      backgroundLight: '#f8fafc',
      backgroundDark: '#0f172a',
    },
    logo: { light: '/logo/light.svg', dark: 'logo/dark.svg', href: 'https://example.com' },
    favicon: { light: '/favicon.svg', dark: '/favicon.svg' },
    fonts: {
      body: { family: 'Open Sans', source: null, weight: '400' },
      heading: { family: 'Mine', source: '/fonts/mine.woff2', weight: null },
    },
    appearance: { default: 'dark', isFixed: true },
    banner: { content: '**New** [x](/x)', isDismissible: true },
    navbar: {
      links: [
        { label: 'Blog', href: 'https://example.com/blog', icon: 'newspaper' },
        { label: 'Discord', href: 'https://discord.gg/x', icon: 'discord' },
      ],
      primary: { type: 'button', label: 'Start', href: '/quickstart', icon: null },
    },
    footer: {
      socials: [
        { name: 'x', href: 'https://x.com/a' },
        { name: 'github', href: 'https://github.com/a' },
      ],
      columns: [{ header: 'Legal', items: [{ label: 'Terms', href: '/terms', icon: null }] }],
    },
    icons: 'lucide',
    eyebrow: 'breadcrumbs',
    metatags: [
      ['og:locale', 'en_US'],
      ['robots', 'noindex'],
    ],
    indexing: 'all',
    searchPrompt: 'Search…',
    notFound: { redirectHome: true, title: 'Lost', description: 'Go [home](/)' },
    api: {
      openapi: ['openapi.json'],
      asyncapi: ['events.yaml'],
      baseUrls: ['https://api.example.com'],
      auth: { method: 'bearer', name: null },
      exampleLanguages: ['curl', 'go'],
    },
    variables: { version: '1.2', 'api-url': 'https://api.example.com', port: '80' },
  })
})

test('what is left out has a default, with and without a docs.json', async () => {
  const { settings } = readSiteSettings(null)
  expect(settings).toMatchObject({
    name: null,
    logo: null,
    favicon: null,
    appearance: { default: 'system', isFixed: false },
    icons: 'fontawesome',
    notFound: { redirectHome: false },
    variables: {},
  })
  expect(settings.colors.primary).toMatch(/^#[\da-f]{6}$/)
  expect((await read({ navigation: {} })).settings).toEqual(settings)
  const one = await read({ colors: { primary: '#123456' }, logo: { dark: '/d.svg' } })
  expect(one.settings.colors).toMatchObject({ light: '#123456', dark: '#123456' })
  expect(one.settings.logo).toEqual({ light: '/d.svg', dark: '/d.svg', href: null })
})

test.each<[object, string]>([
  [{ name: 1 }, '"name" must be text, found 1.'],
  [{ colors: '#fff' }, '"colors" must be an object, found "#fff".'],
  [
    { colors: { primary: 'red;}*{x:url(//a)' } },
    '"colors.primary" must be a color such as #0d9373, found "red;}*{x:url(//a)".',
  ],
  [{ background: { color: { dark: '#12' } } }, '"background.color.dark" must be a color such as #0d9373, found "#12".'],
  [{ logo: 'javascript:alert(1)' }, '"logo" must be the address of an image, found "javascript:alert(1)".'],
  [
    { favicon: { light: 'data:text/html,x' } },
    '"favicon.light" must be the address of an image, found "data:text/html,x".',
  ],
  [
    { logo: { light: 'l.svg', href: 'vbscript:x' } },
    '"logo.href" must be an address that a page may link to, found "vbscript:x".',
  ],
  [{ fonts: { family: 'a"; } * {' } }, '"fonts.family" must be the name of a font.'],
  [{ fonts: { family: 'Inter', weight: 'bold' } }, '"fonts.weight" must be a number from 1 to 1000.'],
  [{ appearance: { default: 'blue' } }, '"appearance.default" must be one of system, light, dark, found "blue".'],
  [{ appearance: { strict: 'yes' } }, '"appearance.strict" must be true or false, found "yes".'],
  [{ banner: { content: ['x'] } }, '"banner.content" must be text, found a list.'],
  [{ navbar: { links: {} } }, '"navbar.links" must be a list, found an object.'],
  [{ navbar: { links: ['x'] } }, '"navbar.links[0]" must be an object, found "x".'],
  [
    { navbar: { links: [{ label: 'x', href: ' java\tscript:alert(1)' }] } },
    '"navbar.links[0].href" must be an address that a page may link to, found "java\tscript:alert(1)".',
  ],
  [
    { navbar: { primary: { type: 'big', label: 'x', href: '/' } } },
    '"navbar.primary.type" must be one of button, github, discord, found "big".',
  ],
  [{ footer: { socials: { x: 3 } } }, '"footer.socials.x" must be text, found 3.'],
  [{ footer: { links: [{ items: [{ label: 2 }] }] } }, '"footer.links[0].items[0].label" must be text, found 2.'],
  [{ icons: { library: 'x' } }, '"icons.library" must be one of fontawesome, lucide, tabler, found "x".'],
  [{ seo: { metatags: { 'a b': 'x' } } }, '"seo.metatags.a b" must be the text of a meta element.'],
  [{ errors: { '404': [] } }, '"errors.404" must be an object, found a list.'],
  [
    { api: { mdx: { auth: { method: 'oauth' } } } },
    '"api.mdx.auth.method" must be one of bearer, basic, key, cobo, none, found "oauth".',
  ],
  [{ api: { examples: { languages: [1] } } }, '"api.examples.languages[0]" must be text, found 1.'],
  [{ variables: { a: {} } }, '"variables.a" must be text, and its name letters, digits and hyphens.'],
])('what is not of its kind is left out and told: %j', async (config, message) => {
  const { settings, problems } = await read(config)
  expect(problems.map((problem) => problem.message)).toEqual([message])
  expect(problems[0]).toMatchObject({ rule: 'config', path: 'docs.json' })
  expect(problems[0]!.line).toBeGreaterThan(1)
  expect(JSON.stringify(settings)).not.toMatch(/script:|data:|red;|\*/)
})

test('a font of another site is not fetched, and no name reaches a prototype', async () => {
  const { settings } = await read({ fonts: { family: 'X', source: 'https://fonts.example.com/x.woff2' } })
  expect(settings.fonts.body).toEqual({ family: 'X', source: null, weight: null })
  const tree = memoryTree({ 'docs.json': '{"variables": {"__proto__": {"x": 1}, "constructor": "c"}}' })
  const { variables } = readSiteSettings(await readDocsConfig(tree)).settings
  expect(Object.entries(variables)).toEqual([['constructor', 'c']])
  expect(Object.getPrototypeOf(variables)).toBe(Object.prototype)
})

test.each([
  ['/a', '/a'],
  ['#x', '#x'],
  ['./a', './a'],
  ['guides/a', '/guides/a'],
  ['example.com', 'https://example.com'],
  ['docs.example.com:8080/x', 'https://docs.example.com:8080/x'],
  ['logo.svg', '/logo.svg'],
  ['https://example.com', 'https://example.com'],
  ['MAILTO:a@example.com', 'MAILTO:a@example.com'],
  ['/\\evil.com', '/evil.com'],
  ['\\\\evil.com', '/evil.com'],
  ['javascript:x', null],
  ['JaVaScript:x', null],
  ['java\u0000script:x', null],
  [' \u0001javascript:x', null],
  ['data:text/html,x', null],
  ['file:///etc/passwd', null],
  ['', null],
])('the address %j leads to %j', (written, expected) => {
  expect(safeAddress(written)).toBe(expected)
})

test('an image is of the repository or of another site', () => {
  const written = ['/a.svg', 'a b.svg', 'https://example.com/a.png', 'data:image/png;base64,x', 'a\\b', '']
  expect(written.map(safeImage)).toEqual(['/a.svg', 'a b.svg', 'https://example.com/a.png', null, null, null])
})

test.each([
  ['de', 'Deutsch', false, 'de'],
  ['zh-Hans', '简体中文', false, 'zh-Hans'],
  ['cn', '简体中文', false, 'zh-CN'],
  ['jp', '日本語', false, 'ja'],
  ['pt-BR', 'Português (Brasil)', false, 'pt-BR'],
  ['he', 'עברית', true, 'he'],
  ['ar-EG', 'العربية (مصر)', true, 'ar-EG'],
  ['sw', 'Kiswahili', false, 'sw'],
  ['xx-nonsense!', 'xx-nonsense!', false, 'xx-nonsense!'],
  ['constructor', 'constructor', false, 'constructor'],
])('the language %s is called %s', (code, name, isFromRight, standard) => {
  expect([languageName(code), isRightToLeft(code), standardLanguage(code)]).toEqual([name, isFromRight, standard])
})
