import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findAnchors } from '../anchors.ts'
import type { Component, ComponentNode, MarkdownContext, PageNode, PropValue } from '../component.ts'
import { createHoles } from '../holes.ts'
import { writeHtml } from '../html-output.ts'
import { writeMarkdown } from '../markdown-output.ts'
import { components } from './registry.ts'

const propNames = (
  'title icon iconType href img cta arrow horizontal type color cols label description tags name value path query body ' +
  'header default required deprecated pre post tip headline repo for variant level language filename highlight focus ' +
  'lines chart placement actions method server caption hint defaultOpen defaultTabIndex sync stepNumber titleSize size src'
).split(' ')

const anyNode = fc.letrec<{ node: PageNode; prop: PropValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.string().map((value): PageNode => ({ type: 'text', value })),
    fc.string().map((value): PageNode => ({ type: 'code', value, lang: 'js', meta: value })),
    fc.array(tie('node'), { maxLength: 3 }).map((children) => ({ type: 'paragraph', children }) as PageNode),
    fc
      .array(tie('node'), { maxLength: 3 })
      .map((children) => ({ type: 'list', children: [{ type: 'listItem', children }] }) as PageNode),
    fc
      .record({
        name: fc.constantFrom(...Object.keys(components)),
        props: fc.dictionary(fc.constantFrom(...propNames), tie('prop'), { maxKeys: 8 }),
        children: fc.array(tie('node'), { maxLength: 3 }),
        isInline: fc.boolean(),
      })
      .map((given): PageNode => ({ type: 'component', from: 'page.mdx', line: 1, ...given })),
  ),
  prop: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.constantFrom('true', 'false', '__proto__', 'constructor', '{', '1e999', '-1', 'javascript:alert(1)', '#f00'),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant('x'.repeat(200_000)),
    fc.array(tie('prop'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('light', 'dark', 'type', 'children', '__proto__'),
      tie('prop'),
    ) as fc.Arbitrary<PropValue>,
    fc.array(tie('node'), { maxLength: 3 }).map((children): PropValue => ({ type: 'nodes', children })),
  ),
}))

describe('components', () => {
  test.each(Object.keys(components))('%s shows something for any properties and content', (name) => {
    const thrown: unknown[] = []
    const watched = Object.fromEntries(Object.entries(components).map(([key, one]) => [key, watch(one, thrown)]))
    const props = fc.dictionary(fc.constantFrom(...propNames), anyNode.prop, { maxKeys: 12 })
    fc.assert(
      fc.property(props, fc.array(anyNode.node, { maxLength: 4 }), fc.boolean(), (given, children, isInline) => {
        const node: ComponentNode = {
          type: 'component',
          name,
          props: given,
          children,
          isInline,
          from: 'p.mdx',
          line: 1,
        }
        const anchors = findAnchors([node], watched)
        const parts = { path: 'p.mdx', components: watched, anchors, icons: 'lucide' as const, mostNodes: 10_000 }
        const html = writeHtml([node], { ...parts, holes: createHoles() })
        writeMarkdown([node], { ...parts, holes: createHoles() })
        expect(thrown).toEqual([])
        expect(html).not.toMatch(/<[^>]* style=|\[object Object\]|href="javascript:/)
        expect(Math.max(0, ...html.matchAll(/="([^"]*)"/g).map(([value]) => value.length))).toBeLessThan(20_000)
      }),
      { numRuns: 30 },
    )
  })

  test('nest as deep as a page may', () => {
    let node: PageNode = { type: 'text', value: 'deep' }
    for (let depth = 0; depth < 3_000; depth++) {
      const name = depth % 2 === 0 ? 'Tree' : 'Tree.Folder'
      node = { type: 'component', name, props: { name: 'x' }, children: [node], isInline: false, from: 'p', line: 1 }
    }
    const asIs: MarkdownContext = { children: (nodes) => nodes, parents: [] }
    for (const name of ['Tree', 'Prompt']) {
      expect(components[name]!.markdown(node as ComponentNode, asIs).length).toBeGreaterThan(0)
    }
  })
})

/** What shows pages goes on after a component threw; here it may not. */
function watch(component: Component, thrown: unknown[]): Component {
  const watched = <Given extends unknown[], Result>(work: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      try {
        return work(...given)
      } catch (error) {
        thrown.push(error)
        throw error
      }
    }
  }
  return { ...component, html: watched(component.html), markdown: watched(component.markdown) }
}
