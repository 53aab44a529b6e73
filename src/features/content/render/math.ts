import type { Element, ElementContent } from 'hast'
import temml from 'temml'

const longestFormula = 5_000
const mostNodes = 20_000
const mostExpansions = 1_000
// In em: a size that an author asks for can push everything else off the page.
const largestSize: [number, number] = [25, 50]

/** Nodes of temml's tree, as far as they are read here. */
interface MathTree {
  type?: string
  text?: string
  attributes?: Record<string, unknown>
  classes?: string[]
  style?: Record<string, unknown>
  children?: MathTree[]
}

// The tree is the only form without style attributes; the package's types take its default export for a namespace.
const { __renderToMathMLTree: buildTree } = temml as unknown as {
  __renderToMathMLTree(tex: string, options: Record<string, unknown>): MathTree
}

const elements = new Set(
  (
    'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom menclose msub msup msubsup ' +
    'munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mlabeledtr'
  ).split(' '),
)

const attributes = new Set(
  (
    'accent accentunder columnalign depth display displaystyle fence form height largeop linebreak linethickness lspace ' +
    'mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace scriptlevel ' +
    'separator stretchy symmetric voffset width'
  ).split(' '),
)

/**
 * A formula in TeX as MathML, which browsers show by themselves. It can neither link nor load, and has no styles: a page's
 * policy allows none. What is no formula is shown as it was written.
 */
export function renderMath(tex: string, { isBlock }: { isBlock: boolean }): Element {
  const source = tex.trim()
  const math = source.length > longestFormula ? null : readFormula(source, isBlock)
  if (!math) {
    return {
      type: 'element',
      tagName: 'code',
      properties: { className: ['math-error'] },
      children: [{ type: 'text', value: source }],
    }
  }
  return {
    type: 'element',
    tagName: isBlock ? 'div' : 'span',
    properties: isBlock ? { className: ['math'], dataDisplay: '' } : { className: ['math'] },
    children: [math],
  }
}

function readFormula(source: string, isBlock: boolean): Element | null {
  try {
    const tree = buildTree(source, {
      displayMode: isBlock,
      trust: false,
      throwOnError: true,
      maxExpand: mostExpansions,
      maxSize: largestSize,
    })
    let left = mostNodes
    const [math] = convert(tree, () => left-- > 0)
    return math?.type === 'element' && math.tagName === 'math' && left > 0 ? math : null
  } catch {
    // Formulas that are none throw, and ones that nest too deeply overflow.
    return null
  }
}

function convert(node: MathTree, spend: () => boolean): ElementContent[] {
  if (!spend()) return []
  if (typeof node.text === 'string') return [{ type: 'text', value: node.text }]
  const children = (node.children ?? []).flatMap((child) => convert(child, spend))
  if (node.type === undefined || !elements.has(node.type)) return children
  const properties: Element['properties'] = {}
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (attributes.has(name)) properties[name] = String(value)
  }
  const styles = Object.entries(node.style ?? {})
  const classes = [...(node.classes ?? []).filter(Boolean), ...styles.flatMap(([name, value]) => classOf(name, value))]
  if (classes.length > 0) properties.className = classes
  const color = node.style?.color
  if (typeof color === 'string' && /^#?\w{1,20}$/.test(color)) properties.mathcolor = color
  return [{ type: 'element', tagName: node.type, properties, children }]
}

/** What matters of the styles that temml writes; see math-stylesheet.ts. */
function classOf(name: string, value: unknown): string[] {
  const isNothing = /^0[a-z]*$/.test(String(value))
  switch (name) {
    case 'borderTop':
    case 'borderBottom':
    case 'borderLeft':
    case 'borderRight':
      return [`math-${name.slice('border'.length).toLowerCase()}`]
    case 'border':
      return ['math-box']
    case 'paddingLeft':
      return isNothing ? ['math-flush-left'] : []
    case 'paddingRight':
      return isNothing ? ['math-flush-right'] : []
    case 'fontWeight':
      return ['math-bold']
    case 'width':
      return value === '100%' ? ['math-wide'] : value === '50%' ? ['math-half'] : []
    default:
      return []
  }
}
