import { describe, expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import type { OperationOutline, SpecOutline } from '../openapi/spec-outline.ts'
import type { NavigationItem, NavigationLevel } from './navigation-tree.ts'
import { readSiteModel, type SiteModel } from './site-model.ts'

/** Specifications of these tests: `{"openapi": "3.1", "operations": ["GET /users List users Users"]}`. */
const outline = async ({ text }: { text: string }): Promise<SpecOutline | null> => {
  const { operations } = JSON.parse(text) as { operations: string[] }
  return {
    title: null,
    operations: operations.map((line): OperationOutline => {
      const [method = '', path = '', title = '', tag = '', href = ''] = line.split('|')
      const isHidden = tag === 'hidden'
      const none = { operationId: null, isDeprecated: false }
      return { method, path, title, tag: tag === '' || isHidden ? null : tag, isHidden, href: href || null, ...none }
    }),
  }
}
const spec = (...operations: string[]) => JSON.stringify({ openapi: '3.1.0', operations })
const usersSpec = spec('GET|/users|List users|Users', 'POST|/users|Create user|Users', 'GET|/health|Health|')

const readModel = (files: Record<string, string>) => readSiteModel(memoryTree(files), { outline })
const pagesNamed = (...paths: string[]) => Object.fromEntries(paths.map((path) => [`${path}.mdx`, '']))
const readNavigation = (navigation: unknown, files: Record<string, string>, more: object = {}) =>
  readModel({ 'docs.json': JSON.stringify({ navigation, ...more }), ...files })

/** As an outline: groups are lists behind their name. */
function drawItems(items: NavigationItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind === 'page') return item.route
    if (item.kind === 'link') return `${item.label} -> ${item.href}`
    return { [item.root === null ? item.label : `${item.label} (${item.root})`]: drawItems(item.items) }
  })
}
function drawLevel({ divisions, items }: NavigationLevel): unknown[] {
  return [
    ...divisions.map(({ kind, label, href, isDefault, level }) => ({
      [`${kind} ${label}${isDefault ? '*' : ''}`]: href ?? drawLevel(level),
    })),
    ...drawItems(items),
  ]
}
const draw = (model: SiteModel) => drawLevel(model.navigation.root)
const messages = (model: SiteModel) => model.problems.map(({ message }) => message)

describe('the navigation of docs.json', () => {
  test('has divisions of every kind inside each other, the default one marked', async () => {
    const navigation = {
      languages: [
        {
          language: 'en',
          versions: [
            { version: 1, groups: [{ group: 'Old', pages: ['old'] }] },
            {
              version: 'v2',
              default: true,
              tag: 'Latest',
              products: [
                {
                  product: 'P',
                  description: 'The product',
                  dropdowns: [
                    {
                      dropdown: 'D',
                      tabs: [
                        { tab: 'T', icon: { name: 'book', style: 'solid' }, menu: [{ item: 'M', pages: ['menu'] }] },
                        { tab: 'Blog', href: 'https://example.com/blog' },
                      ],
                      anchors: [{ anchor: 'A', icon: 'anchor', pages: ['anchor'] }],
                    },
                  ],
                },
              ],
            },
          ],
        },
        { language: 'ar', pages: ['ar/index'] },
      ],
    }
    const model = await readNavigation(navigation, pagesNamed('old', 'menu', 'anchor', 'ar/index'))
    const d = [
      { 'tab T*': [{ 'menu M*': ['/menu'] }] },
      { 'tab Blog': 'https://example.com/blog' },
      { 'anchor A*': ['/anchor'] },
    ]
    expect(draw(model)).toEqual([
      {
        'language English*': [
          { 'version 1': [{ Old: ['/old'] }] },
          { 'version v2*': [{ 'product P*': [{ 'dropdown D*': d }] }] },
        ],
      },
      { 'language العربية': ['/ar'] },
    ])
    expect(model.home).toBe('/menu')
    const place = model.placeOf('/menu')!
    expect(place.divisions.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      'language en',
      'version v2',
      'product P',
      'dropdown D',
      'tab T',
      'menu M',
    ])
    expect(place.divisions[1]).toMatchObject({ tag: 'Latest' })
    expect(place.divisions[2]).toMatchObject({ description: 'The product' })
    expect(place.divisions[4]).toMatchObject({ icon: 'book' })
    expect(model.order).toEqual(['/menu', '/anchor', '/old', '/ar'])
    expect(messages(model)).toEqual([])
  })

  test('has groups inside groups, with what is said of them', async () => {
    const navigation = {
      groups: [
        {
          group: 'A',
          icon: 'rocket',
          tag: 'NEW',
          boost: 3,
          root: 'a/index',
          pages: [
            'a/one',
            {
              group: 'B',
              expanded: true,
              pages: ['a/two', { group: 'C', hidden: true, boost: 0.5, pages: ['/a/three'] }],
            },
            'a/missing',
            { group: 'Missing', pages: ['a/nothing'] },
            { group: 'Status', href: 'status.example.com' },
            'https://example.com',
          ],
        },
      ],
      pages: ['last.mdx'],
    }
    const model = await readNavigation(
      navigation,
      pagesNamed('a/index', 'a/one', 'a/two', 'a/three', 'last', 'outside', 'snippets/x'),
    )
    expect(draw(model)).toEqual([
      {
        'A (/a)': [
          '/a/one',
          { B: ['/a/two', { C: ['/a/three'] }] },
          'Status -> https://status.example.com',
          'https://example.com -> https://example.com',
        ],
      },
      '/last',
    ])
    expect(model.navigation.root.items[0]).toMatchObject({ icon: 'rocket', tag: 'NEW', boost: 3, isExpanded: false })
    expect(model.placeOf('/a')).toMatchObject({ boost: 3, isHidden: false, groups: [{ label: 'A' }] })
    expect(model.placeOf('/a/two')).toMatchObject({
      boost: 3,
      groups: [{ label: 'A' }, { label: 'B', isExpanded: true }],
    })
    expect(model.placeOf('/a/three')).toMatchObject({ boost: 0.5, isHidden: true, groups: [{}, {}, { label: 'C' }] })
    expect(model.order).toEqual(['/a', '/a/one', '/a/two', '/a/three', '/last'])
    expect(model.placeOf('/outside')).toBeNull()
    expect(model.pages.get('/outside')).toEqual({ kind: 'file', path: 'outside.mdx' })
    expect(model.pages.has('/snippets/x')).toBe(false)
  })

  test('shows global links everywhere, and leads to no script', async () => {
    const navigation = {
      global: {
        anchors: [
          { anchor: 'Blog', href: 'https://example.com', icon: 'newspaper' },
          { anchor: 'Log', href: 'changelog' },
          { anchor: 'Bad', href: 'java\nscript:alert(1)' },
        ],
        languages: [{ language: 'pt-BR', href: '/pt' }],
      },
      pages: ['index', { group: 'G', href: 'javascript:alert(1)' }],
    }
    const { navigation: tree } = await readNavigation(navigation, pagesNamed('index'))
    expect(tree.global.map(({ kind, label, href }) => [kind, label, href])).toEqual([
      ['language', 'Português (Brasil)', '/pt'],
      ['anchor', 'Blog', 'https://example.com'],
      ['anchor', 'Log', '/changelog'],
    ])
    expect(drawItems(tree.root.items)).toEqual(['/'])
  })

  test('a page in several places has its first, which is that of the default version', async () => {
    const navigation = {
      versions: [
        { version: '1', groups: [{ group: 'Old', pages: ['both', 'old'] }] },
        { version: '2', default: true, groups: [{ group: 'New', pages: ['new', 'both', 'new'] }] },
      ],
    }
    const model = await readNavigation(navigation, pagesNamed('both', 'old', 'new'))
    expect(model.order).toEqual(['/new', '/both', '/old'])
    expect(model.placeOf('/both')).toMatchObject({ divisions: [{ code: '2' }], groups: [{ label: 'New' }] })
  })

  test('home is the page at the root, else the first that is shown, and hidden tabs are no default', async () => {
    const tabs = [
      { tab: 'H', hidden: true, pages: ['h'] },
      { tab: 'Out', href: 'https://example.com' },
      { tab: 'T', pages: ['t', 'u'] },
    ]
    const model = await readNavigation({ tabs }, pagesNamed('h', 't', 'u'))
    expect(model.home).toBe('/t')
    expect(model.placeOf('/h')?.isHidden).toBe(true)
    expect((await readNavigation({ tabs }, pagesNamed('h', 't', 'index'))).home).toBe('/')
    expect((await readNavigation({ pages: [] }, {})).home).toBeNull()
  })

  test('goes on through references', async () => {
    const files = {
      ...pagesNamed('one', 'two'),
      'nav/main.json': JSON.stringify({
        groups: [
          { group: 'A', pages: ['one'] },
          { $ref: './more.json', tag: 'X' },
        ],
      }),
      'nav/more.json': JSON.stringify({ group: 'B', pages: ['two'] }),
    }
    const model = await readNavigation({ $ref: 'nav/main.json' }, files)
    expect(draw(model)).toEqual([{ A: ['/one'] }, { B: ['/two'] }])
    expect(model.navigation.root.items[1]).toMatchObject({ tag: 'X' })
  })

  test.each([
    ['is no JSON', '{'],
    ['names no page that there is', '{"navigation":{"pages":["nowhere"]}}'],
    ['has no navigation', '{"name":"x"}'],
  ])('where docs.json %s, folders are the navigation', async (_, config) => {
    const model = await readModel({ 'docs.json': config, ...pagesNamed('index', 'guides/setup') })
    expect(draw(model)).toEqual(['/', { Guides: ['/guides/setup'] }])
  })

  test('a README that it names is a page, and of two files with one route the .mdx is', async () => {
    const files = { 'README.md': '', 'LICENSE.md': '', 'a.md': '', 'a.mdx': '' }
    const { pages, order } = await readNavigation({ pages: ['README', 'a'] }, files)
    expect(order).toEqual(['/README', '/a'])
    expect([...pages]).toEqual([
      ['/a', { kind: 'file', path: 'a.mdx' }],
      ['/README', { kind: 'file', path: 'README.md' }],
    ])
  })
})

describe('pages of specifications', () => {
  const files = { 'api/users.json': usersSpec, 'intro.mdx': '' }

  test.each<[string, unknown]>([
    ['a text', 'api/users.json'],
    ['a path from the root', '/api/users.json'],
    ['a list', ['https://example.com/openapi.json', 'api/users.json']],
  ])('are generated by tag: %s', async (_, openapi) => {
    const model = await readNavigation({ tabs: [{ tab: 'API', openapi }] }, files)
    const users = ['/api-reference/users/list-users', '/api-reference/users/create-user']
    expect(draw(model)).toEqual([{ 'tab API*': [{ Users: users }, '/api-reference/health'] }])
    expect(model.pages.get('/api-reference/users/create-user')).toEqual({
      kind: 'operation',
      spec: 'api/users.json',
      method: 'POST',
      path: '/users',
      title: 'Create user',
    })
    expect(model.order).toContain('/api-reference/health')
  })

  test('lie where their folder is, at every level; a group of one tag has no second name for it', async () => {
    const openapi = { source: 'api/users.json', directory: '/ref/' }
    const one = { ...files, 'one.json': spec('GET|/a|A|Tag') }
    const anchors = [
      { anchor: 'A', openapi },
      { anchor: 'B', groups: [{ group: 'G', openapi: 'one.json' }] },
    ]
    expect(draw(await readNavigation({ anchors }, one))).toEqual([
      { 'anchor A*': [{ Users: ['/ref/users/list-users', '/ref/users/create-user'] }, '/ref/health'] },
      { 'anchor B': [{ G: ['/api-reference/tag/a'] }] },
    ])
    const whole = await readNavigation({ openapi }, one)
    expect(whole.order).toEqual(['/ref/users/list-users', '/ref/users/create-user', '/ref/health'])
  })

  test('are named one by one, from the specification of the nearest part, or with it', async () => {
    const navigation = {
      openapi: 'api/users.json',
      groups: [
        {
          group: 'G',
          pages: [
            'intro',
            'GET /users',
            'post /users',
            {
              group: 'Other',
              openapi: { source: 'other.json', directory: 'o' },
              pages: ['GET /users', 'POST /{name}/'],
            },
            'other.json PATCH /x',
            'WEBHOOK order.paid',
          ],
        },
      ],
    }
    const other = spec(
      'GET|/users|Other users|',
      'POST|/{id}|Make|T',
      'PATCH|/x|Patch|',
      'WEBHOOK|order.paid|Order paid|Hooks',
    )
    const model = await readNavigation(navigation, { ...files, 'other.json': other })
    expect(draw(model)).toEqual([
      {
        G: [
          '/intro',
          '/api-reference/users/list-users',
          '/api-reference/users/create-user',
          { Other: ['/o/other-users', '/o/t/make'] },
          '/api-reference/patch',
          '/api-reference/hooks/order-paid',
        ],
      },
    ])
    expect(messages(model)).toEqual([])
  })

  test('of channels are added to the pages that are named, and found by their name', async () => {
    const events = JSON.stringify({ asyncapi: '3.0.0', operations: ['CHANNEL|signedUp|Signed up|'] })
    const groups = [{ group: 'Events', asyncapi: 'events.json', pages: ['intro'] }]
    const model = await readNavigation({ groups }, { ...files, 'events.json': events })
    expect(draw(model)).toEqual([{ Events: ['/intro', '/api-reference/signed-up'] }])
    const channel = { spec: 'events.json', method: 'CHANNEL', path: 'signedUp' }
    expect(model.findOperation('/events.json signedUp')).toEqual(channel)
  })

  test('where no part of the navigation names a specification, that of the settings is meant, with its folder', async () => {
    const config = { api: { openapi: { source: 'api/users.json', directory: 'rest' } } }
    const navigation = { groups: [{ group: 'G', pages: ['intro', 'GET /users'] }] }
    const first = { 'a.json': spec('GET|/users|Others|') }
    const model = await readNavigation(navigation, { ...files, ...first }, config)
    expect(draw(model)).toEqual([{ G: ['/intro', '/rest/users/list-users'] }])
  })

  test('an operation that is in no readable specification is a problem; in one elsewhere, it is not known', async () => {
    const navigation = {
      groups: [
        { group: 'A', openapi: 'api/users.json', pages: ['GET /nothing', 'intro'] },
        { group: 'B', openapi: 'https://example.com/api.json', pages: ['GET /nothing'] },
      ],
    }
    const model = await readNavigation(navigation, files)
    expect(messages(model)).toEqual(['GET /nothing is not in api/users.json.'])
    expect(model.problems[0]).toMatchObject({ rule: 'navigation', path: 'docs.json', line: 1 })
  })

  test('are made once however often they are named, and never take the address of a file', async () => {
    const navigation = {
      languages: [
        { language: 'en', openapi: 'api/users.json', pages: ['GET /users'] },
        { language: 'de', openapi: 'api/users.json' },
      ],
    }
    const more = pagesNamed('api-reference/users/list-users', 'guides/by-hand')
    const linked = { 'x.json': spec('GET|/hand|Hand||/guides/by-hand', 'GET|/own|Own||/own/place', 'GET|/h|H|hidden') }
    const model = await readNavigation(
      { ...navigation, groups: [{ group: 'X', openapi: 'x.json' }] },
      {
        ...files,
        ...more,
        ...linked,
      },
    )
    expect(draw(model)).toEqual([
      { 'language English*': ['/api-reference/users/list-users-1'] },
      {
        'language Deutsch': [
          { Users: ['/api-reference/users/list-users-1', '/api-reference/users/create-user'] },
          '/api-reference/health',
        ],
      },
      { X: ['/guides/by-hand', '/own/place'] },
    ])
    expect(model.pages.get('/guides/by-hand')).toEqual({ kind: 'file', path: 'guides/by-hand.mdx' })
    expect(model.pages.get('/own/place')).toMatchObject({ kind: 'operation', path: '/own' })
  })

  test('links to them are known to lead somewhere or not, as far as specifications can be read', async () => {
    const tabs = [
      { tab: 'A', openapi: { source: 'api/users.json', directory: 'a' } },
      { tab: 'B', openapi: { source: 'https://example.com/b.json', directory: 'b' } },
      { tab: 'C', sdk: { format: 'typedoc', source: 'x.json', directory: 'c' } },
    ]
    const { map } = await readNavigation({ tabs }, files)
    const kindOf = (url: string) => map.resolveLink('intro.mdx', url).kind
    expect(kindOf('/a/users/list-users')).toBe('generated')
    expect(kindOf('/a/users/list-user')).toBe('missing')
    expect(kindOf('/b/anything')).toBe('generated')
    expect(kindOf('/c/anything')).toBe('generated')
    expect(kindOf('/api-reference/anything')).toBe('missing')
    const api = { openapi: 'https://example.com/d.json' }
    const other = await readNavigation({ pages: ['intro', 'GET /x'] }, files, { api })
    expect(other.map.resolveLink('intro.mdx', '/api-reference/anything').kind).toBe('generated')
  })

  test('a page finds its operation in any specification, those that the configuration names first', async () => {
    const more = { 'a.yaml': 'not read by these tests', 'aaa.json': spec('GET|/users|First by name|', 'GET|/aaa|A|') }
    const config = { api: { openapi: ['api/users.json'] } }
    const model = await readNavigation({ pages: ['intro'] }, { ...files, ...more }, config)
    expect(model.findOperation('GET /users')).toEqual({ spec: 'api/users.json', method: 'GET', path: '/users' })
    expect(model.findOperation('aaa.json get /users')).toEqual({ spec: 'aaa.json', method: 'GET', path: '/users' })
    expect(model.findOperation('GET /aaa')).toMatchObject({ spec: 'aaa.json' })
    expect(model.findOperation('users.json GET /users')).toMatchObject({ spec: 'api/users.json' })
    expect(model.findOperation('/users GET /users')).toMatchObject({ spec: 'api/users.json' })
    expect(model.findOperation('sers.json GET /users')).toBeNull()
    expect(model.findOperation('https://example.com/users.json GET /users')).toBeNull()
    expect(model.findOperation('GET /bbb')).toBeNull()
    expect(model.findOperation('nothing')).toBeNull()
    expect(model.map.sources.has('aaa.json')).toBe(true)
  })
})

describe('redirects', () => {
  test.each([
    ['/old', '/new'],
    ['/old/', '/new'],
    ['/beta/a/b', '/v2/a/b'],
    ['/out/x', 'https://example.com/x'],
    ['/nothing', null],
    // A circle, alone, of two, and one that ends at a page.
    ['/self', null],
    ['/ring-a', null],
    ['/to-page', '/page'],
    // What a visitor writes never chooses the site.
    ['/any//evil.com', '/evil.com'],
    ['/any/\\evil.com', '/evil.com'],
    ['/host.evil.com', null],
    ['/script', null],
    ['/bare/javascript:alert(1)', '/javascript:alert(1)'],
  ])('%s is sent to %s', async (route, expected) => {
    const redirects = [
      ['/old', '/new'],
      ['/beta/:slug*', '/v2/:slug*'],
      ['/out/:slug*', 'https://example.com/:slug*'],
      ['/self', '/self#there'],
      ['/ring-a', '/ring-b'],
      ['/ring-b', '/ring-a'],
      ['/to-page', '/page'],
      ['/page', '/to-page'],
      ['/any/:slug*', '/:slug*'],
      ['/host*', 'https://example.com*'],
      ['/script', 'javascript:alert(1)'],
      ['/bare/:slug*', ':slug*'],
    ].map(([source, destination]) => ({ source, destination }))
    const model = await readNavigation({ pages: ['page'] }, pagesNamed('page'), { redirects })
    expect(model.redirectOf(route)).toBe(expected)
  })
})

test('says which specifications have no pages, and why', async () => {
  const tabs = [
    { tab: 'Guide', pages: ['index'] },
    { tab: 'Elsewhere', openapi: 'https://api.example.com/openapi.json' },
    { tab: 'Large', openapi: 'large.json' },
    { tab: 'None', openapi: 'none.json' },
  ]
  const files = { 'large.json': ' '.repeat(5_000_001), 'none.json': '{}', ...pagesNamed('index') }
  const { problems, omissions } = await readNavigation({ tabs }, files)
  expect(omissions.map(({ message }) => message)).toEqual([
    'The specification https://api.example.com/openapi.json is not fetched, so its pages are not shown: keep it in the repository.',
  ])
  expect(problems.map(({ message }) => message)).toEqual([
    'The specification large.json has 5000001 bytes, more than the 5000000 that are read.',
    'none.json cannot be read as a specification, so its pages are not shown.',
  ])
})
