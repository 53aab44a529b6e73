import fc from 'fast-check'
import type { Element, Root } from 'hast'
import { raw } from 'hast-util-raw'
import { markdownToMdast } from 'satteri'
import { expect, test } from 'vitest'
import { fillTemplate } from './fill-template.ts'
import { createHoles } from './holes.ts'
import type { Template } from './rendered-page.ts'

const template: Template = {
  parts: [
    '<a href="',
    { kind: 'link', url: '../x', from: 'a/b.mdx' },
    '">x</a>',
    { kind: 'code', block: { language: 'js', text: 'x', highlighted: [], focused: [], hasLineNumbers: false } },
    { kind: 'code', block: { language: 'js', text: 'y', highlighted: [], focused: [], hasLineNumbers: false } },
  ],
}

test('holes are filled with what the site makes of them', () => {
  const fill = { link: (url: string, from: string) => `/${from}:${url}`, code: (index: number) => `<b>${index}</b>` }
  expect(fillTemplate(template, fill, 'html')).toBe('<a href="/a/b.mdx:../x">x</a><b>0</b><b>1</b>')
})

test('whatever an address is, it ends neither its attribute nor its link', () => {
  const url = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `/${text.replace(/[\p{Cc}\p{Cs}]/gu, '')}`)
  fc.assert(
    fc.property(url, (address) => {
      const fill = { link: () => address, code: () => '' }
      const html = fillTemplate({ parts: template.parts.slice(0, 3) }, fill, 'html')
      const page = raw({ type: 'root', children: [{ type: 'raw', value: html }] } as unknown as Root) as Root
      expect(page.children).toHaveLength(1)
      expect((page.children[0] as Element).properties).toEqual({ href: address })

      const parts: Template['parts'] = ['[x](', template.parts[1]!, ') y']
      const tree = markdownToMdast(fillTemplate({ parts }, fill, 'markdown')) as unknown as {
        children: { children: { type: string }[] }[]
      }
      expect(tree.children[0]!.children.map(({ type }) => type)).toEqual(['link', 'text'])
    }),
  )
})

test.each(['javascript:alert(1)', ' java\tscript:x', 'data:text/html,x'])(
  'what runs is written by no site: %s',
  (url) => {
    const fill = { link: () => url, code: () => '' }
    expect(fillTemplate({ parts: template.parts.slice(0, 3) }, fill, 'html')).toBe('<a href="#">x</a>')
  },
)

test('text is cut at its marks and nowhere else', () => {
  const holes = createHoles()
  const first = holes.link('/x', 'a.mdx', 'link')!
  const again = holes.link('/x', 'a.mdx', 'link')!
  const other = holes.link('/x', 'b.mdx', 'link')!
  expect(again).toBe(first)
  expect(holes.link('https://a.example', 'a.mdx', 'link')).toBe('https://a.example')
  expect(holes.link('#x', 'a.mdx', 'link')).toBe('#x')
  expect(holes.link('javascript:x', 'a.mdx', 'link')).toBeNull()
  expect(holes.cut(`a${first}b${other}${first}`)).toEqual({
    parts: [
      'a',
      { kind: 'link', url: '/x', from: 'a.mdx' },
      'b',
      { kind: 'link', url: '/x', from: 'b.mdx' },
      { kind: 'link', url: '/x', from: 'a.mdx' },
    ],
  })
  // Marks of another page mean nothing here.
  const foreign = createHoles().link('/y', 'a.mdx', 'link')!
  expect(holes.cut(foreign)).toEqual({ parts: [foreign] })
})
