import { z } from 'zod'
import type { EditionPage } from '../edition/edition.ts'
import { findMarkdown, findPage } from '../serve/find-page.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { markdownRoute, urlTo } from '../serve/site-address.ts'
import { readSitePath } from '../serve/site-path.ts'
import { suggestPages } from '../serve/suggest.ts'

export interface ToolContext {
  site: ServedSite
  markdownOf(page: EditionPage): Promise<string>
}

interface McpTool<Input extends z.ZodType> {
  title: string
  description: string
  input: Input
  /** Text for a model; throws `ToolFault` with what to do instead. */
  run(input: z.output<Input>, context: ToolContext): Promise<string>
}

/** What a model is told when a call could not do what it asked for. */
export class ToolFault extends Error {}

function defineTool<Input extends z.ZodType>(tool: McpTool<Input>): McpTool<Input> {
  return tool
}

const search = defineTool({
  title: 'Search the documentation',
  description:
    'Finds sections of this documentation by words. Returns titles, addresses and excerpts, the best first. Read a page with read_page.',
  input: z.object({
    query: z.string().min(1).max(200).describe('Words to look for, as few as say it.'),
    limit: z.int().min(1).max(20).default(8).describe('Most results to return.'),
    language: z.string().max(40).optional().describe('Only pages of this language, by its code.'),
    version: z.string().max(100).optional().describe('Only pages of this version.'),
  }),
  async run({ query, limit, language = null, version = null }, { site }) {
    const hits = site.edition.search({ text: query, limit, language, version })
    if (hits.length === 0) return `Nothing found for "${query}". Try fewer or other words.`
    return hits
      .map(({ title, heading, trail, route, anchor, excerpt }, at) => {
        const place = trail.length > 0 ? `\n   In: ${trail.join(' › ')}` : ''
        const address = `${urlTo(site, markdownRoute(route))}${anchor === null ? '' : `#${anchor}`}`
        const words = excerpt.map(({ text }) => text).join('')
        return `${at + 1}. ${title}${heading === null ? '' : `: ${heading}`}\n   ${address}${place}\n   ${words}`
      })
      .join('\n\n')
  },
})

const readPage = defineTool({
  title: 'Read a page',
  description: 'Returns a page of this documentation as Markdown. Links in it lead to other pages, also as Markdown.',
  input: z.object({
    path: z.string().min(1).max(2048).describe('The page: its path (/guides/setup), or its whole address.'),
  }),
  async run({ path }, { site, markdownOf }) {
    const route = routeIn(site, path)
    const page = route === null ? null : (findPage(site.edition, route) ?? findMarkdown(site.edition, route))
    if (page) return await markdownOf(page)
    const near = route === null ? [] : suggestPages(site.edition, route)
    const hint = near.length > 0 ? `Perhaps: ${near.map((known) => known.route).join(', ')}.` : 'Find it with search.'
    throw new ToolFault(`There is no page ${path.slice(0, 200)}. ${hint}`)
  },
})

/** A path inside the site, of whatever a model has seen of it: an address, a link, or the path itself. */
function routeIn({ origin, base }: ServedSite, text: string): string | null {
  if (!URL.canParse(text, `${origin}/`)) return null
  const url = new URL(text, `${origin}/`)
  const inside = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname
  return url.origin === new URL(origin).origin ? (readSitePath(inside)?.route ?? null) : null
}

export const tools: Record<string, McpTool<z.ZodType>> = {
  search: search as unknown as McpTool<z.ZodType>,
  read_page: readPage as unknown as McpTool<z.ZodType>,
}
