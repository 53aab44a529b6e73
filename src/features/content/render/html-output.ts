import type { Element, ElementContent, Root as HastRoot } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import type { Code, Image, Link, Nodes, Root } from 'mdast'
import { defaultHandlers, type Handler, type State, toHast } from 'mdast-util-to-hast'
import type { IconLibrary } from '../site/site-settings.ts'
import { type Anchor, type Anchors, type Components, findComponent } from './anchors.ts'
import { readFence, showFence } from './code/fence.ts'
import type { ComponentNode, HtmlContext, PageNode } from './component.ts'
import { elementHtml, scrollable } from './element-html.ts'
import { noteName } from './expand/note.ts'
import type { Holes } from './holes.ts'
import { htmlSchema } from './html-schema.ts'
import { showIcon } from './icon-html.ts'
import { renderMath } from './math.ts'
import { noteHtml, unknownComponent } from './note-output.ts'
import { isExternal } from './safe-url.ts'

export interface HtmlParts {
  path: string
  holes: Holes
  anchors: Anchors
  components: Components
  /** The site's own. */
  icons: IconLibrary
  /** How many nodes are shown before it is too much: a component may show what is inside it more than once. */
  mostNodes: number
}

/** The page as HTML, with marks in its holes. */
export function writeHtml(nodes: PageNode[], parts: HtmlParts): string {
  const { path, holes, anchors, components, icons } = parts
  let lastId = 0
  let shown = 0
  let parents: readonly string[] = []

  const handlers: Record<string, Handler> = {
    component: (state, node: ComponentNode) => showComponent(state, node),
    link: (state, node: Link) => showLink(node, state.all(node)),
    image: (_, node: Image) => showImage(node),
    code: (state, node: Code) => showFence(readFence(node), contextOf(state, placeless)),
    math: (_, node: { value: string }) => renderMath(node.value, { isBlock: true }),
    inlineMath: (_, node: { value: string }) => renderMath(node.value, { isBlock: false }),
    table: (state, node) => scrollable(defaultHandlers.table(state, node) as Element),
    heading: (state, node) => showHeading(node, `h${node.depth}`, state.all(node)),
    paragraph: (state, node) => {
      const children = state.all(node)
      const tagName = children.some(isBlock) ? 'div' : 'p'
      return { type: 'element', tagName, properties: {}, children }
    },
    html: () => undefined,
  }
  const placeless: ComponentNode = {
    type: 'component',
    name: '',
    props: {},
    children: [],
    isInline: false,
    from: path,
    line: null,
  }
  const tree = toHast(
    { type: 'root', children: nodes as Root['children'] },
    {
      handlers,
      clobberPrefix: '',
      unknownHandler: (state, node) => ('children' in node ? state.all(node as Nodes) : undefined),
    },
  ) as HastRoot
  return toHtml(sanitize(tree, htmlSchema))

  function showComponent(state: State, node: ComponentNode): ElementContent[] {
    if (++shown > parts.mostNodes) {
      return shown === parts.mostNodes + 1 ? noteHtml({ ...node, props: { message: tooMany } }) : []
    }
    if (node.name === noteName) return noteHtml(node)
    const component = findComponent(components, node)
    const context = contextOf(state, node)
    if (component)
      return withAliases(
        safely(() => component.html(node, context), node),
        anchors.of(node),
      )
    const children = context.children(node.children)
    if (/^[a-z]/.test(node.name)) {
      const shown = elementHtml(node, { children, link: (url, use) => holes.link(url, node.from, use) })
      const [heading] = shown
      if (!/^h[1-6]$/.test(node.name) || heading?.type !== 'element') return shown
      const anchored = showHeading(node, node.name, children)
      return [{ ...anchored, properties: { ...heading.properties, ...anchored.properties } }]
    }
    return children.length > 0 ? children : noteHtml({ ...node, props: { message: unknownComponent(node) } })
  }

  function contextOf(state: State, node: ComponentNode): HtmlContext {
    const around = parents
    return {
      parents: around,
      children(list) {
        // Whatever stands in between hands on the components around.
        parents = node.name === '' ? around : [node.name, ...around]
        try {
          return state.all({ type: 'root', children: list as Root['children'] })
        } finally {
          parents = around
        }
      },
      idOf: (one) => anchors.of(one)?.id ?? null,
      nextId: () => ++lastId,
      link: (url) => holes.link(url, node.from, 'link') ?? holes.link(url, node.from, 'image') ?? '',
      code: (block) => holes.add({ kind: 'code', block }),
      icon: (name, options) =>
        showIcon(name, { library: icons, ...options }, (url) => holes.link(url, node.from, 'image')),
    }
  }

  /** Nobody's component may take the page down. */
  function safely(work: () => ElementContent[], node: ComponentNode): ElementContent[] {
    try {
      return work()
    } catch {
      return noteHtml({ ...node, props: { message: `<${node.name}> could not be shown.` } })
    }
  }

  function showLink(node: Link, children: ElementContent[]): ElementContent[] {
    const href = holes.link(node.url, fromOf(node, path), 'link')
    if (href === null) return children
    const rel = isExternal(href) ? { rel: ['noopener'] } : {}
    const title = node.title ? { title: node.title } : {}
    return [{ type: 'element', tagName: 'a', properties: { href, ...title, ...rel }, children }]
  }

  function showImage(node: Image): ElementContent[] {
    const src = holes.link(node.url, fromOf(node, path), 'image')
    if (src === null) return node.alt ? [{ type: 'text', value: node.alt }] : []
    const title = node.title ? { title: node.title } : {}
    const properties = { src, alt: node.alt ?? '', ...title, loading: 'lazy', decoding: 'async' }
    return [{ type: 'element', tagName: 'img', properties, children: [] }]
  }

  function showHeading(node: PageNode, tagName: string, children: ElementContent[]): Element {
    const anchor = anchors.of(node)
    if (anchor === null) return { type: 'element', tagName, properties: {}, children }
    const link: Element = {
      type: 'element',
      tagName: 'a',
      properties: {
        href: `#${encodeURIComponent(anchor.id)}`,
        className: ['heading-anchor'],
        ariaLabel: `Link to “${anchor.title}”`,
      },
      // The sign is the stylesheet's: it is no part of the heading's words.
      children: [],
    }
    const isWithout = node.type === 'component' && Boolean(node.props.noAnchor)
    // A link inside another would end that one.
    const links = isWithout || parents.includes('a') ? [] : [link]
    return {
      type: 'element',
      tagName,
      properties: { id: anchor.id },
      children: [...aliasesOf(anchor), ...children, ...links],
    }
  }
}

function aliasesOf({ aliases }: Anchor): Element[] {
  return aliases.map((id) => {
    return { type: 'element', tagName: 'span', properties: { id, className: ['anchor-alias'] }, children: [] }
  })
}

/** Puts a component's further ids where its own is. */
function withAliases(shown: ElementContent[], anchor: Anchor | null): ElementContent[] {
  if (anchor === null || anchor.aliases.length === 0) return shown
  const own = shown.find((one): one is Element => one.type === 'element' && one.properties.id === anchor.id)
  if (!own) return shown
  const summary = own.children.find((one): one is Element => one.type === 'element' && one.tagName === 'summary')
  // Of what can be closed only this is always seen.
  const place = own.tagName === 'details' && summary ? summary : own
  place.children = [...aliasesOf(anchor), ...place.children]
  return shown
}

const tooMany = 'The rest of this page is not shown: it has too many parts.'

export function fromOf(node: Link | Image, fallback: string): string {
  const from = (node.data as { from?: unknown } | undefined)?.from
  return typeof from === 'string' ? from : fallback
}

const blocks = new Set(
  'address article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)

function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && blocks.has(node.tagName)
}
