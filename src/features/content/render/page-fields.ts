import type { PageFields } from './rendered-page.ts'

const modes = ['default', 'wide', 'custom', 'frame', 'center'] as const
const longestText = 2_000
const mostKeywords = 100
const mostMetatags = 50

/** Frontmatter, as far as it is understood. */
export function readPageFields(data: Record<string, unknown>): PageFields {
  const text = (name: string): string | null => {
    const value = Object.hasOwn(data, name) ? data[name] : null
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (typeof value !== 'string') return null
    const words = value.replace(/\s+/g, ' ').trim()
    return words === '' ? null : words.slice(0, longestText)
  }
  const flag = (name: string): boolean => data[name] === true || data[name] === 'true'
  const mode = text('mode')
  return {
    title: text('title'),
    sidebarTitle: text('sidebarTitle'),
    description: text('description'),
    icon: text('icon'),
    tag: text('tag'),
    url: text('url'),
    mode: modes.find((known) => known === mode) ?? 'default',
    isHidden: flag('hidden'),
    isDeprecated: flag('deprecated'),
    noIndex: flag('noindex') || flag('noIndex'),
    canonical: text('canonical') ?? text('canonicalUrl'),
    keywords: readKeywords(data.keywords),
    openapi: text('openapi') ?? text('asyncapi'),
    api: text('api'),
    rss: flag('rss'),
    hideToc: flag('hideToc') || flag('hide_toc'),
    metatags: readMetatags(data),
  }
}

function readKeywords(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return list
    .slice(0, mostKeywords)
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).trim().slice(0, 200))
    .filter((word) => word !== '')
}

const metaName = /^(?:og|twitter|article|profile|fb|al|book|music|video):[\w:.-]{1,100}$/
const metaNames = new Set(['robots', 'author', 'google-site-verification', 'charset'])

function readMetatags(data: Record<string, unknown>): [string, string][] {
  const found: [string, string][] = []
  for (const [name, value] of Object.entries(data)) {
    if (found.length >= mostMetatags) break
    if (!metaName.test(name) && !metaNames.has(name)) continue
    if (typeof value !== 'string' && typeof value !== 'number') continue
    found.push([name, String(value).slice(0, longestText)])
  }
  return found
}
