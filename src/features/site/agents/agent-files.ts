import type { Edition } from '../edition/edition.ts'
import { answerFinished } from '../serve/answer-finished.ts'
import { textSecurity } from '../serve/answers.ts'
import { writeMarkdown } from '../serve/finish-page.ts'
import { type Finished, finish } from '../serve/finished.ts'
import { hasAlready } from '../serve/negotiate.ts'
import type { ServeDeps } from '../serve/serve-deps.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from '../serve/served-site.ts'
import { buildLlmsFiles } from './llms-files.ts'
import { writeLlmsFull } from './llms-full.ts'
import { writeRobots } from './robots.ts'
import { buildSitemap } from './sitemap.ts'

const agentFiles = /^\/(?:llms\.txt|llms-full\.txt|llms\/\d{1,6}\.txt|sitemap(?:-\d{1,4})?\.xml|robots\.txt)$/

/** Lists of a site's pages for programs. A repository's own file of such a name is served in their place. */
export function isAgentFile(route: string): boolean {
  return agentFiles.test(route)
}

/** Null for a part that the index does not have. */
export async function answerAgentFile(
  deps: Pick<ServeDeps, 'shelf'>,
  site: ServedSite,
  { request, route }: { request: SiteRequest; route: string },
): Promise<SiteAnswer | null> {
  if (route === '/llms-full.txt') return answerLlmsFull(site, request)
  const key = `agents ${site.edition.projectId} ${site.edition.id} ${site.origin}${site.base}${route} ${site.name}`
  const finished = await findFile(deps, site, { route, key })
  return finished === null ? null : await answerFinished(deps, request, { key, finished, view: null })
}

async function findFile(
  { shelf }: Pick<ServeDeps, 'shelf'>,
  site: ServedSite,
  { route, key }: { route: string; key: string },
): Promise<Finished | null> {
  const known = shelf.find(key)
  if (known && !(known.isProvisional && hasDates(site.edition))) return known
  if (namesOf(site)?.get(kindOf(route))?.has(route) === false) return null
  const content = writeFile(site, route)
  if (content === null) return null
  const isXml = route.endsWith('.xml')
  const contentType = `${isXml ? 'application/xml' : 'text/plain'}; charset=utf-8`
  const headers = { ...commonHeaders, 'content-type': contentType }
  // The dates of pages come later than the pages.
  const isProvisional = isXml && !content.includes('<lastmod>')
  return await shelf.make(key, async () => finish(content, { headers, isProvisional }))
}

function hasDates({ pages, updatedAt }: Edition): boolean {
  for (const page of pages.values()) if (updatedAt(page) !== null) return true
  return false
}

function writeFile(site: ServedSite, route: string): string | null {
  if (route === '/robots.txt') return writeRobots(site)
  const files = route.endsWith('.xml') ? buildSitemap(site) : buildLlmsFiles(site)
  keepNames(site, kindOf(route), files.keys())
  return files.get(route) ?? null
}

type Kind = 'sitemap' | 'llms' | 'robots'

/** Which files an edition has at an address: building them to find that one is not among them takes long on a large site. */
const names = new WeakMap<Edition, Map<string, Map<Kind, ReadonlySet<string>>>>()
const mostAddresses = 8

function namesOf({ edition, origin, base }: ServedSite) {
  return names.get(edition)?.get(`${origin}${base}`)
}

function keepNames(site: ServedSite, kind: Kind, routes: Iterable<string>): void {
  const { edition, origin, base } = site
  const ofEdition = names.get(edition) ?? new Map<string, Map<Kind, ReadonlySet<string>>>()
  names.set(edition, ofEdition)
  if (ofEdition.size >= mostAddresses && !namesOf(site)) ofEdition.clear()
  const ofAddress = namesOf(site) ?? new Map<Kind, ReadonlySet<string>>()
  ofEdition.set(`${origin}${base}`, ofAddress.set(kind, new Set(routes)))
}

function kindOf(route: string): Kind {
  if (route === '/robots.txt') return 'robots'
  return route.endsWith('.xml') ? 'sitemap' : 'llms'
}

const commonHeaders: Record<string, string> = {
  ...textSecurity,
  'cache-control': 'public, max-age=300, must-revalidate',
  vary: 'Accept-Encoding',
}

/** Not kept: it is as long as all pages together. What it is made of is, so the second time takes little. */
function answerLlmsFull(site: ServedSite, { headers, method }: SiteRequest): SiteAnswer {
  const etag = `W/"${site.edition.id}"`
  const common = { ...commonHeaders, etag, 'content-type': 'text/plain; charset=utf-8' }
  if (hasAlready(headers['if-none-match'], etag)) return { status: 304, headers: common, body: null, view: null }
  const body = method === 'HEAD' ? null : writeLlmsFull(site, (page) => writeMarkdown(site, page))
  return { status: 200, headers: common, body, view: null }
}
