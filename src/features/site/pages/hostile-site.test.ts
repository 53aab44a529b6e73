import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standInSite } from '#tests/harness/stand-in-site.ts'
import { layoutMessage } from './layout-message.ts'
import { layoutNotFound } from './layout-not-found.ts'
import { layoutPage } from './layout-page.ts'

const hostile = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...[
          '<script>alert(1)</script>',
          '"><svg onload=x>',
          "' onclick='x",
          '</title>',
          '</style>',
          '<!--',
          ']]>',
          '&lt;',
        ],
        ...['javascript:alert(1)', ' JaVaScRiPt:x', 'data:text/html,x', '//evil.test', '[x](javascript:x)', '[a](b"c)'],
        ...[
          '`',
          '**',
          '*',
          '\u202e',
          '\0',
          '\n',
          ' ',
          '/',
          '#',
          '?',
          '\\',
          'x',
          '.svg',
          'java\nscript:x',
          'vbscript:x',
        ],
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
  fc.string({ minLength: 1, maxLength: 40 }),
)

const tags = new Set(
  'html head meta title link script body a header nav main article aside section h1 h2 p span div ul ol li strong em code small form fieldset legend label textarea button details summary footer time kbd img svg path circle rect g wbr'.split(
    ' ',
  ),
)
const address = /^(?:https?:\/\/|mailto:|tel:|sms:|ftp:|xmpp:|ircs?:|vscode:|cursor:|data:image\/|\/|#)/i

/** Reads the page as strictly as a parser does, and fails at anything that our own templates do not write. */
function expectOwnMarkup(page: string): void {
  const text = page.replace(/^<!doctype html>\n/, '')
  let at = 0
  for (const match of text.matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z:-]+(?:="[^"<>]*")?)*)\/?>/g)) {
    const between = text.slice(at, match.index)
    expect(between).not.toMatch(/[<>]/)
    at = match.index + match[0].length
    expect(tags).toContain(match[2])
    if (match[1] === '' && match[2] === 'script') expect(match[3]).toMatch(/ src="\/b\/_docent\/\w+\.\w+\.js"/)
    for (const [, name = '', value = ''] of match[3]!.matchAll(/ ([a-zA-Z:-]+)(?:="([^"]*)")?/g)) {
      expect(name).not.toMatch(/^(?:on|style$|srcdoc$|formaction$)/i)
      if (name === 'href' || name === 'src') expect(value).toMatch(address)
    }
  }
  expect(text.slice(at)).not.toMatch(/[<>]/)
}

test('nothing that an author or a reader writes becomes markup, or an address that runs something', async () => {
  const input = fc.record({ a: hostile, b: hostile, c: hostile, d: hostile, e: hostile })
  await fc.assert(
    fc.asyncProperty(input, async ({ a, b, c, d, e }) => {
      const site = await standInSite({
        pages: {
          '/one': {
            title: a,
            sidebarTitle: b,
            description: c,
            tag: d,
            icon: e,
            keywords: [a],
            canonical: b,
            openapi: c,
          },
          '/two': {
            title: b,
            url: e,
            icon: a,
            metatags: [
              [c, d],
              ['og:image', e],
            ],
          },
        },
        headings: [1, 2, 3].map((depth) => ({ depth: Math.max(depth, 2), id: `${a}${depth}`, title: b })),
        config: {
          name: a,
          description: b,
          colors: { primary: c },
          logo: { light: d, dark: e, href: a },
          favicon: { light: b, dark: c },
          fonts: { family: d, source: e },
          banner: { content: `${a}[${b}](${c})`, dismissible: true },
          navbar: {
            links: [
              { label: a, href: b, icon: c },
              { label: d, href: e },
            ],
            primary: { type: 'button', label: c, href: d },
          },
          footer: { socials: { x: a, github: b }, links: [{ header: c, items: [{ label: d, href: e }] }] },
          seo: { metatags: { [a]: b, canonical: c } },
          search: { prompt: d },
          errors: { 404: { redirect: false, title: e, description: a } },
          navigation: {
            versions: [
              {
                version: a,
                tabs: [
                  {
                    tab: b,
                    icon: c,
                    groups: [
                      { group: d, icon: e, tag: a, pages: ['one', { group: c, pages: ['two'] }] },
                      { group: b, pages: [] },
                    ],
                  },
                  { tab: c, href: d },
                ],
              },
              { version: `${b}2`, groups: [{ group: d, pages: ['two'] }] },
            ],
            global: { anchors: [{ anchor: a, href: b, icon: c }] },
          },
        },
        site: { base: '/b', name: c, kind: 'preview', editUrl: () => d },
      })
      for (const page of site.edition.pages.values()) {
        expectOwnMarkup(layoutPage({ site, page, body: '<p>Words</p>', needsMermaid: true }))
      }
      expectOwnMarkup(layoutNotFound({ site, route: e, suggestions: [...site.edition.pages.values()] }))
      expectOwnMarkup(layoutMessage({ title: a, text: b }).replace(/<style>[^<]*<\/style>/, ''))
    }),
    { numRuns: 60 },
  )
})

test('markup of others would be seen by this test', async () => {
  const site = await standInSite({
    pages: { '/one': 'One' },
    config: { name: 'A', navigation: { pages: ['one'] } },
    site: { base: '/b' },
  })
  const lay = (body: string) => layoutPage({ site, page: site.edition.pages.get('/one')!, body, needsMermaid: false })
  for (const body of [
    '<script>x</script>',
    '<p onclick="x">',
    '<p style="x">',
    '<a href="javascript:x">y</a>',
    '<iframe>',
  ]) {
    expect(() => expectOwnMarkup(lay(body))).toThrow()
  }
})
