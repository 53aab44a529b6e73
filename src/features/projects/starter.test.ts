import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { isInnerPath } from '#infra/git/name-rules.ts'
import { NewProject } from './schema.ts'
import { starterFiles } from './starter.ts'

const textsOf = async (name: string, docsPath = '') =>
  new Map((await starterFiles({ name, docsPath })).map(({ path, content }) => [path, content as string]))

function frontmatterOf(page: string, version: '1.1' | '1.2' = '1.2'): { title: string; description: string } {
  const [, frontmatter] = /^---\n(.*?)\n---\n/s.exec(page)!
  return parseYaml(frontmatter!, { version })
}

const difficult = [
  'Plain',
  'With "quotes" and \'others\'',
  'Back\\slash \\n \\" \\u0041',
  '{{project name}}',
  '$& $1 $$ $`',
  'a: b # no comment',
  '---',
  '- item',
  '{json: [1]}',
  '&anchor *alias !tag %x @y',
  'Ünïcödé 日本語 😀 👩‍👩‍👧',
  'two\nlines\r\nand\ttabs',
  'ends with \\',
  '"',
  'line\u2028separator\u2029and\u0085next',
  'del\u007f and c1\u0080\u009f',
  '\ufeffBOM',
  'null',
  '2030-01-01',
  '\u0001\u001f',
  '</script><script>alert(1)</script>',
]

describe('the starter pages carry the project’s name', () => {
  test.each(difficult)('%j', async (name) => {
    const files = await textsOf(name)
    expect(JSON.parse(files.get('docs.json')!).name).toBe(name)
    expect(frontmatterOf(files.get('index.mdx')!).title).toBe(name)
    // Tools that read pages use both versions of YAML, and the older one has more line breaks.
    expect(frontmatterOf(files.get('index.mdx')!, '1.1').title).toBe(name)
  })

  test('whatever name a project may have', async () => {
    const name = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
        fc.string({
          unit: fc.constantFrom(...'"\\\'{}:#-&*!|>%@`$\n\r\t\u2028\u0085\u007f\ufeff é😀a '),
          minLength: 1,
          maxLength: 30,
        }),
      )
      .map((text) => NewProject.safeParse({ name: text }))
      .filter((parsed) => parsed.success)
      .map((parsed) => parsed.data!.name)
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const files = await textsOf(text)
        expect(JSON.parse(files.get('docs.json')!).name).toBe(text)
        for (const version of ['1.1', '1.2'] as const) {
          expect(frontmatterOf(files.get('index.mdx')!, version)).toEqual({
            title: text,
            description: 'What this is, and where to begin.',
          })
        }
        // Strict readers of YAML refuse a page with any other character.
        for (const content of files.values())
          expect(content).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]/u)
      }),
      { numRuns: 200 },
    )
  })
})

test('no page keeps the place where the name goes', async () => {
  for (const content of (await textsOf('Docs')).values()) expect(content).not.toContain('{{')
})

test('every page of the navigation is there, and every page is in the navigation', async () => {
  const files = await textsOf('Docs')
  const { navigation } = JSON.parse(files.get('docs.json')!)
  const listed = navigation.groups.flatMap((group: { pages: string[] }) => group.pages)
  const pages = [...files.keys()].filter((path) => path.endsWith('.mdx')).map((path) => path.replace(/\.mdx$/, ''))
  expect(listed.sort()).toEqual(pages.sort())
})

test('every page has a title and a description, and its links lead to pages', async () => {
  const files = await textsOf('Docs')
  for (const [path, content] of files) {
    if (!path.endsWith('.mdx')) continue
    expect(frontmatterOf(content)).toEqual({ title: expect.any(String), description: expect.any(String) })
    for (const [, link] of content.matchAll(/(?:href="|\]\()(\/[^")]*)/g))
      expect(files.has(`${link!.slice(1)}.mdx`)).toBe(true)
  }
})

test.each(['', 'docs', 'packages/app/docs'])('the files lie in the docs folder: %j', async (docsPath) => {
  const paths = [...(await textsOf('Docs', docsPath)).keys()]
  const inside = docsPath === '' ? '' : `${docsPath}/`
  expect(paths).toContain(`${inside}docs.json`)
  for (const path of paths) {
    expect(path.startsWith(inside)).toBe(true)
    expect(isInnerPath(path)).toBe(true)
  }
})
