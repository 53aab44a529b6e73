import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Element, ElementContent } from 'hast'
import type { IconLibrary } from '../site/site-settings.ts'
import { formerIconNames } from './former-icon-names.ts'

type IconSet = 'lucide' | 'tabler' | 'fa6-solid' | 'fa6-regular' | 'fa6-brands'

interface IconData {
  body?: string
  width?: number
  height?: number
  /** An alias of this icon. */
  parent?: string
}

/** What a name may stand for, in the order of trying: sites name icons of other libraries than their own. */
const setsOf: Record<IconLibrary, IconSet[]> = {
  fontawesome: ['fa6-solid', 'fa6-brands', 'fa6-regular', 'lucide', 'tabler'],
  lucide: ['lucide', 'tabler', 'fa6-solid', 'fa6-brands', 'fa6-regular'],
  tabler: ['tabler', 'lucide', 'fa6-solid', 'fa6-brands', 'fa6-regular'],
}

const stylesOf: Record<string, IconSet> = {
  solid: 'fa6-solid',
  'sharp-solid': 'fa6-solid',
  fas: 'fa6-solid',
  regular: 'fa6-regular',
  far: 'fa6-regular',
  brands: 'fa6-brands',
  brand: 'fa6-brands',
  fab: 'fa6-brands',
}

const mostKept = 2_000
const kept = new Map<string, Element | null>()

export interface IconOptions {
  /** `fontawesome`, `lucide` or `tabler`: the site's, unless the author names one. */
  library?: string
  /** A style of Font Awesome; where that is not among the free ones, another of the same name. */
  type?: string
}

/**
 * The drawing of an icon, or null for an unknown one. It is shared: change a copy. Only icons that were asked for are
 * kept; the sets are 14,000 icons, of which a site uses a hundred.
 */
export function findIcon(name: string, { library = 'fontawesome', type }: IconOptions = {}): Element | null {
  const written = readName(name)
  if (written === null) return null
  const style = type ?? written.style ?? ''
  const key = `${library} ${style} ${written.name}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const own = Object.hasOwn(setsOf, library) ? setsOf[library as IconLibrary] : setsOf.fontawesome
  const preferred = library === 'fontawesome' && Object.hasOwn(stylesOf, style) ? [stylesOf[style]!] : []
  let icon: Element | null = null
  for (const set of new Set([...preferred, ...own])) {
    icon ??= findInSet(set, written.name)
  }
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, icon)
  return icon
}

/** Names come as `rocket`, `fa-rocket`, `fa-solid fa-rocket` and `solid/rocket`. */
function readName(written: string): { name: string; style: string | null } | null {
  const text = written.trim().toLowerCase().slice(0, 100)
  const [, before, last] = /^(?:(\S+)[\s/]+)?([^\s/]+)$/.exec(text) ?? []
  const name = (last ?? '').replace(/^fa-/, '').replace(/_/g, '-')
  const style = before?.replace(/^fa-/, '') ?? null
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(name) && (style === null || Object.hasOwn(stylesOf, style))
  return isName ? { name, style } : null
}

function findInSet(set: IconSet, name: string): Element | null {
  const former = set.startsWith('fa6') && Object.hasOwn(formerIconNames, name) ? [formerIconNames[name]!] : []
  // Tabler calls them that.
  const brand = set === 'tabler' ? [`brand-${name}`] : []
  for (const tried of [name, ...former, ...brand]) {
    const data = readIcon(set, tried)
    if (data?.body) return draw(data.body, data.width, data.height)
  }
  return null
}

const require = createRequire(import.meta.url)
// Read again when they are needed after the collector took them: while a page is made, they stay.
const files = new Map<IconSet, WeakRef<Buffer>>()

function fileOf(set: IconSet): Buffer {
  const known = files.get(set)?.deref()
  if (known) return known
  const file = readFileSync(require.resolve(`@iconify-json/${set}/icons.json`))
  files.set(set, new WeakRef(file))
  return file
}

/** One entry of a set, found in its text: parsing the whole would cost tens of megabytes. */
function readIcon(set: IconSet, name: string, depth = 0): IconData | null {
  const file = fileOf(set)
  const label = `\n\t\t${JSON.stringify(name)}: `
  const start = file.indexOf(label)
  const end = start < 0 ? -1 : file.indexOf('\n\t\t}', start)
  if (end < 0) return null
  const data: IconData = JSON.parse(file.toString('utf8', start + label.length, end + 4))
  if (data.parent !== undefined) return depth > 2 ? null : readIcon(set, data.parent, depth + 1)
  return { width: sizeOf(file, 'width'), height: sizeOf(file, 'height'), ...data }
}

/** The size of icons that say none themselves stands at the file's end. */
function sizeOf(file: Buffer, side: 'width' | 'height'): number {
  const tail = file.toString('utf8', file.length - 200)
  return Number(new RegExp(`\n\t"${side}": (\\d+)`).exec(tail)?.[1] ?? 24)
}

function draw(body: string, width = 24, height = 24): Element {
  return {
    type: 'element',
    tagName: 'svg',
    properties: {
      className: ['icon'],
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      ariaHidden: 'true',
      focusable: 'false',
    },
    children: parseShapes(body),
  }
}

// Attributes have other names in trees.
const propertyNames: Record<string, string> = {
  'stroke-linecap': 'strokeLineCap',
  'stroke-linejoin': 'strokeLineJoin',
  'stroke-width': 'strokeWidth',
  'fill-rule': 'fillRule',
  'clip-rule': 'clipRule',
  class: 'className',
}

const tag = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g

/** The sets' drawings are elements with quoted attributes, and nothing else. */
function parseShapes(body: string): ElementContent[] {
  const root: ElementContent[] = []
  const open = [root]
  for (const [, closes, tagName, attributes, isEmpty] of body.matchAll(tag)) {
    if (closes) {
      open.pop()
      continue
    }
    const shape: Element = { type: 'element', tagName: tagName!, properties: {}, children: [] }
    for (const [, name, value] of attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)) {
      shape.properties[propertyNames[name!] ?? name!] = value!
    }
    open.at(-1)?.push(shape)
    if (!isEmpty) open.push(shape.children)
  }
  return root
}
