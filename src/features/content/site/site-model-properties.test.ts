import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import type { NavigationGroup, NavigationItem, NavigationLevel, NavigationPlace } from './navigation-tree.ts'
import { readSiteModel, type SiteModel } from './site-model.ts'

const outline = async () => ({
  title: null,
  operations: ['/a', '/b', '/a'].map((path) => ({
    method: 'GET',
    path,
    title: path === '/b' ? 'Same' : `GET ${path}`,
    tag: path === '/b' ? 'T' : null,
    operationId: null,
    isDeprecated: false,
    isHidden: false,
    href: null,
  })),
})
// What it takes of a core: others work on the machine too.
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
const readModel = (files: Record<string, string>) => readSiteModel(memoryTree(files), { outline })

const paths = ['index', 'a', 'b', 'guides/index', 'guides/a', 'guides/deep/c', 'README', 'api-reference/same']
const entry = fc.constantFrom(...paths, 'missing', '/a', 'a.mdx', 'GET /a', 'spec.json GET /b', 'guides')
const kinds = [
  ['languages', 'language'],
  ['versions', 'version'],
  ['products', 'product'],
  ['dropdowns', 'dropdown'],
  ['tabs', 'tab'],
  ['menu', 'item'],
  ['anchors', 'anchor'],
  ['groups', 'group'],
] as const

/** Navigation as people write it, of any shape, with some pages that are not there. */
const { level } = fc.letrec<{ level: Record<string, unknown>; group: object }>((tie) => ({
  group: fc.record(
    {
      group: fc.constantFrom('G', 'H'),
      pages: fc.array(fc.oneof({ weight: 3, arbitrary: entry }, tie('group')), { maxLength: 4 }),
      root: entry,
      hidden: fc.boolean(),
      boost: fc.constantFrom(0, 2),
      openapi: fc.constantFrom('spec.json', 'missing.json'),
    },
    { requiredKeys: ['group', 'pages'] },
  ),
  level: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ pages: fc.array(fc.oneof(entry, tie('group')), { maxLength: 4 }) }),
    fc
      .tuple(
        fc.constantFrom(...kinds),
        fc.array(tie('level'), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
      )
      .map(([[list, name], inner, isDefault, isHidden]) => ({
        [list]: inner.map((one, at) => ({ [name]: `${at}`, default: isDefault && at === 1, hidden: isHidden, ...one })),
      })),
  ),
}))

/** Every page that the configuration names, found by looking at nothing but names. */
function* namedPages(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* typeof item === 'string' ? [item] : namedPages(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      if (name === 'root') yield String(field)
      else if (Array.isArray(field)) yield* namedPages(field)
    }
  }
}

function* listedPages({ divisions, items }: NavigationLevel): Generator<string> {
  for (const division of divisions) yield* listedPages(division.level)
  yield* pagesOf(items)
}
function* pagesOf(items: NavigationItem[]): Generator<string> {
  for (const item of items) {
    if (item.kind === 'page') yield item.route
    else if (item.kind === 'group') {
      if (item.root !== null) yield item.root
      yield* pagesOf(item.items)
    }
  }
}

/** Goes down the tree along the place, and finds the page at its end. */
function expectPlace({ navigation }: SiteModel, route: string, place: NavigationPlace): void {
  let level = navigation.root
  for (const division of place.divisions) {
    expect(level.divisions).toContain(division)
    level = division.level
  }
  let group: NavigationGroup | null = null
  let items = level.items
  for (const next of place.groups) {
    expect(items).toContain(next)
    group = next
    items = next.items
  }
  const isHere = group?.root === route || items.some((item) => item.kind === 'page' && item.route === route)
  expect(isHere).toBe(true)
  expect(place.isHidden).toBe([...place.divisions, ...place.groups].some(({ isHidden }) => isHidden))
  expect(place.boost).toBe(group?.boost ?? 1)
}

test('every page of the navigation that exists is read exactly once, in a place that the tree has', async () => {
  await fc.assert(
    fc.asyncProperty(level, fc.subarray(paths, { minLength: 1 }), async (navigation, existing) => {
      const pages = Object.fromEntries(existing.map((path) => [`${path}.mdx`, '']))
      const files = { 'docs.json': JSON.stringify({ navigation }), 'spec.json': '{"openapi": "3.1.0"}', ...pages }
      const model = await readModel(files)
      const listed = [...listedPages(model.navigation.root)]
      expect(new Set(model.order)).toEqual(new Set(listed))
      expect(new Set(model.order).size).toBe(model.order.length)
      for (const route of model.order) {
        expect(model.pages.has(route)).toBe(true)
        expectPlace(model, route, model.placeOf(route)!)
      }
      for (const route of model.pages.keys()) expect(model.placeOf(route) !== null).toBe(listed.includes(route))
      for (const name of namedPages(navigation)) {
        const path = `${name.replace(/^\//, '').replace(/\.mdx$/, '')}`
        if (existing.includes(path)) expect(model.order).toContain(model.map.routeOf(`${path}.mdx`))
      }
      for (const path of model.map.pages) expect(model.pages.has(model.map.routeOf(path))).toBe(true)
      expect(model.home === null).toBe(model.pages.size === 0)
      expect(model.home === null || model.pages.has(model.home)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

const fieldNames = [
  ...kinds.flat(),
  ...[
    'navigation',
    'global',
    'pages',
    'root',
    'href',
    'openapi',
    'source',
    'directory',
    '$ref',
    'sdk',
    'icon',
    'name',
    'boost',
  ],
  ...[
    'colors',
    'primary',
    'logo',
    'light',
    'fonts',
    'family',
    'weight',
    'navbar',
    'links',
    'footer',
    'socials',
    'items',
  ],
  ...[
    'redirects',
    'destination',
    'seo',
    'metatags',
    'api',
    'mdx',
    'auth',
    'errors',
    '404',
    'variables',
    '__proto__',
    'banner',
  ],
  ...[
    'topbarLinks',
    'topbarCtaButton',
    'footerSocials',
    'url',
    'version',
    'primaryTab',
    'topAnchor',
    'modeToggle',
    'font',
  ],
]
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      1,
      -1e308,
      '',
      '/',
      '#fff',
      'a',
      'docs.json',
      '../x',
      'GET /a',
      'javascript:x',
      '/:a*',
      '*',
    ),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...fieldNames), tie('value')), { maxLength: 6 }).map(Object.fromEntries),
  ),
}))

test('no configuration throws, whatever it says', async () => {
  const config = fc.array(fc.tuple(fc.constantFrom(...fieldNames), anything.value), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(config, fc.constantFrom('docs.json', 'mint.json'), async (fields, name) => {
      const files = {
        [name]: JSON.stringify(Object.fromEntries(fields)),
        'a.mdx': '',
        'openapi.json': '{"openapi": "3"}',
      }
      const model = await readModel(files)
      for (const route of model.order) expect(model.pages.has(route)).toBe(true)
      for (const route of ['/', '/a', '//x', '/%']) model.redirectOf(route)
    }),
    { numRuns: 500 },
  )
})

test('no bytes of a configuration throw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.stringMatching(/^[{}[\]",:a1 ]*$/)),
      async (text) => {
        expect((await readModel({ 'docs.json': text, 'a.mdx': '' })).pages.has('/a')).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('files that refer to each other nest no deeper than one of them may', async () => {
  const nest = (inner: string) => `${'{"groups":[{"group":"G","pages":['.repeat(120)}${inner}${']}]}'.repeat(120)}`
  const files: Record<string, string> = { 'a.mdx': '', 'docs.json': `{"navigation":{"$ref":"n0.json"}}` }
  for (let at = 0; at < 15; at++) files[`n${at}.json`] = nest(at === 14 ? '"a"' : `{"$ref":"n${at + 1}.json"}`)
  const model = await readModel(files)
  expect(model.problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('deeper'))
  expect(model.order).toEqual(['/a'])
})

test('4,800 pages and 2.4 MB of docs.json are read in well under a third of a second', async () => {
  const files: Record<string, string> = {}
  const languages = ['en', 'de', 'fr', 'ja', 'ar', 'es'].map((language) => ({
    language,
    tabs: Array.from({ length: 8 }, (_, tab) => ({
      tab: `Tab ${tab}`,
      groups: Array.from({ length: 10 }, (_, group) => ({
        group: `Group ${group}`,
        pages: Array.from({ length: 10 }, (_, page) => {
          const path = `${language}/tab-${tab}/group-${group}/a-page-with-a-name-${page}`
          files[`${path}.mdx`] = ''
          return path
        }),
      })),
    })),
  }))
  const redirects = Array.from({ length: 12_700 }, (_, at) => ({
    source: `/some/old/address/of/a/page-with-a-name-${at}`,
    destination: `/en/tab-${at % 8}/group-${at % 10}/a-page-with-a-name-${at % 10}`,
    permanent: true,
  }))
  files['docs.json'] = JSON.stringify({ navigation: { languages }, redirects }, null, 2)
  expect(files['docs.json'].length).toBeGreaterThan(2_400_000)
  const tree = memoryTree(files)
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    const started = cpuMs()
    const model = await readSiteModel(tree, { outline })
    times.push(cpuMs() - started)
    expect([model.order.length, model.pages.size, model.problems.length]).toEqual([4_800, 4_800, 0])
    expect(model.redirectOf('/some/old/address/of/a/page-with-a-name-12')).toBe(
      '/en/tab-4/group-2/a-page-with-a-name-2',
    )
  }
  expect(Math.min(...times)).toBeLessThan(300)
})

test('specifications that are named in thousands of places, and anchors of thousands of groups, end', async () => {
  const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
  const started = cpuMs()
  const groups = many(34_000, (at) => ({ group: `G${at}`, openapi: 'spec.json' }))
  const docs = await readModel({
    'docs.json': JSON.stringify({ navigation: { groups } }),
    'spec.json': '{"openapi": "3"}',
  })
  expect(docs.problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('more than'))
  const mint = {
    versions: many(3_000, (at) => `v${at}`),
    anchors: many(3_000, (at) => ({ name: `A${at}`, url: `a${at}` })),
    tabs: many(3_000, (at) => ({ name: `T${at}`, url: `t${at}` })),
    navigation: many(3_000, (at) => ({ group: `G${at}`, pages: [`a${at}/x`] })),
  }
  await readModel({ 'mint.json': JSON.stringify(mint), 'a1/x.mdx': '' })
  expect(cpuMs() - started).toBeLessThan(5_000)
})
