import { defaultSchema, type Schema } from 'hast-util-sanitize'

const words = (text: string) => text.trim().split(/\s+/)

const textElements = words(`
  a abbr address article aside audio b bdi bdo blockquote br button caption center cite code col colgroup data dd del
  details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label li main
  mark menu meter nav ol p picture pre progress q rp rt ruby s samp section small source span strike strong sub summary
  sup table tbody td tfoot th thead time tr track tt u ul var video wbr`)

// Drawings without what loads, links, moves or holds HTML.
const drawingElements = words(`
  svg g path circle ellipse rect line polyline polygon text tspan title desc defs linearGradient radialGradient stop
  clipPath mask`)

const formulaElements = words(`
  math mrow mi mn mo ms mtext mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd mstyle
  mpadded mphantom menclose merror mmultiscripts mprescripts none semantics`)

const everywhere = words(`
  id className title lang dir role tabIndex hidden ariaLabel ariaLabelledBy ariaDescribedBy ariaHidden ariaExpanded
  ariaControls ariaCurrent ariaPressed ariaSelected ariaLive ariaRoleDescription`)

const drawingAttributes = words(`
  viewBox width height fill stroke strokeWidth strokeLineCap strokeLineJoin strokeMiterLimit strokeDashArray
  strokeDashOffset strokeOpacity fillRule fillOpacity clipRule clipPath mask opacity color transform d points cx cy r rx
  ry x x1 x2 y y1 y2 dx dy gradientUnits gradientTransform offset stopColor stopOpacity fontSize fontFamily fontWeight
  textAnchor preserveAspectRatio focusable maskUnits clipPathUnits`)

const formulaAttributes = words(`
  display mathvariant stretchy fence separator lspace rspace minsize maxsize largeop movablelimits symmetric form accent
  accentunder displaystyle scriptlevel linethickness columnalign rowspacing columnspacing columnlines rowlines width
  height depth voffset notation mathcolor mathbackground mathsize rowspan columnspan rowSpan colSpan`)

const size = ['width', 'height']
const cell = ['align', 'vAlign', 'colSpan', 'rowSpan', 'scope', 'headers']
const player = ['src', 'controls', 'loop', 'muted', 'autoPlay', 'preload']

const ownAttributes: Record<string, string[]> = {
  a: ['href', 'rel', 'download', 'dataFootnoteRef', 'dataFootnoteBackref'],
  audio: player,
  button: ['type', 'disabled'],
  col: ['span', 'width', 'align'],
  colgroup: ['span'],
  data: ['value'],
  details: ['open', 'name'],
  div: ['align'],
  img: ['src', 'srcSet', 'sizes', 'alt', 'loading', 'decoding', 'align', ...size],
  input: ['type', 'checked', 'disabled'],
  label: ['htmlFor'],
  li: ['value'],
  meter: ['value', 'min', 'max', 'low', 'high', 'optimum'],
  ol: ['start', 'reversed', 'type'],
  p: ['align'],
  progress: ['value', 'max'],
  source: ['src', 'srcSet', 'sizes', 'type', 'media', ...size],
  table: ['align', 'width'],
  td: [...cell, ...size],
  th: [...cell, ...size],
  time: ['dateTime'],
  tr: ['align', 'vAlign'],
  track: ['src', 'kind', 'label', 'srcLang', 'default'],
  video: [...player, 'poster', 'playsInline', ...size],
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, ['align']])),
  ...Object.fromEntries(drawingElements.map((name) => [name, drawingAttributes])),
  ...Object.fromEntries(formulaElements.map((name) => [name, formulaAttributes])),
}

// The page around has these: a button of it would open something of the author's instead.
const ownId: [string, RegExp] = ['id', /^(?!docent-(?:sidebar|content)$)/]

/** What a page may hold. Everything that is shown, ours and the authors', passes it last. */
export const htmlSchema: Schema = {
  ...defaultSchema,
  tagNames: [...textElements, ...drawingElements, ...formulaElements],
  // What is inside these is no text for readers.
  strip: words(
    'script style template noscript iframe object embed frame frameset head textarea select annotation annotation-xml',
  ),
  attributes: { ...ownAttributes, '*': [...everywhere.filter((name) => name !== 'id'), ownId, 'data*'] },
  required: { input: { disabled: true, type: 'checkbox' }, button: { type: 'button' } },
  protocols: {
    href: ['http', 'https', 'mailto', 'tel', 'sms', 'cursor', 'vscode', 'vscode-insiders'],
    src: ['http', 'https', 'data'],
    poster: ['http', 'https', 'data'],
  },
  ancestors: defaultSchema.ancestors ?? {},
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
}

const globalNames = new Map(everywhere.map((name) => [name.toLowerCase(), name]))
const namesOf = new Map(
  Object.entries(ownAttributes).map(([element, names]) => [
    element,
    new Map([...names, ...everywhere].map((name) => [name.toLowerCase(), name])),
  ]),
)
const elements = new Set(htmlSchema.tagNames)

/** The attribute's name in a tree, however it is written (`stroke-width`, `strokeWidth`, `class`); null: not allowed. */
export function attributeName(element: string, written: string): string | null {
  const name = written.toLowerCase()
  if (name === 'class') return 'className'
  if (name === 'for') return element === 'label' ? 'htmlFor' : null
  const plain = name.replace(/[-:]/g, '')
  return (namesOf.get(element) ?? globalNames).get(plain) ?? null
}

export function isElement(name: string): boolean {
  return elements.has(name)
}

export function isDrawing(name: string): boolean {
  return drawingElements.includes(name)
}
