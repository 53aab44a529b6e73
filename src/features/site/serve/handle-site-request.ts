import { DocentError } from '#base/errors.ts'
import { answerAgentFile, isAgentFile } from '../agents/agent-files.ts'
import { answerMcp } from '../agents/mcp.ts'
import type { EditionPage } from '../edition/edition.ts'
import { answerFinished } from './answer-finished.ts'
import { answerNothing, answerProblem, answerRedirect } from './answers.ts'
import { answerAsset } from './assets.ts'
import { findMarkdown, findMoved, findPage } from './find-page.ts'
import { answerNotFound } from './not-found.ts'
import { answerOwnFile } from './own-files.ts'
import { isOwnOrigin } from './own-origin.ts'
import { ensureFinished, formFor, keyOf, type WantedPage } from './page-forms.ts'
import { answerClick, answerFeedback, answerSearch } from './readers.ts'
import { findRedirect } from './redirect.ts'
import type { ServeDeps } from './serve-deps.ts'
import { ownFolder, type ServedSite, type SiteAnswer, type SiteRequest } from './served-site.ts'
import { pathTo } from './site-address.ts'
import { readSitePath } from './site-path.ts'

/**
 * Answers one request to a site, whichever address it stands at. In order: what Docent itself serves, pages, their
 * Markdown, redirects, files of the repository; and what is none of these is told with suggestions.
 */
export async function handleSiteRequest(deps: ServeDeps, site: ServedSite, request: SiteRequest): Promise<SiteAnswer> {
  const answer = await answerRequest(deps, site, request)
  return site.kind === 'live' ? answer : keepPrivate(answer)
}

async function answerRequest(deps: ServeDeps, site: ServedSite, request: SiteRequest): Promise<SiteAnswer> {
  const path = readSitePath(request.path)
  if (path === null) return isRead(request) ? await answerNotFound(site, request, null) : onlyRead()
  const { route, isCanonical } = path
  if (route.startsWith(`${ownFolder}/`))
    return await answerOwn(deps, site, { request, name: route.slice(ownFolder.length + 1) })
  if (route === '/mcp') return await mcp(deps, site, request)
  if (!isRead(request)) return onlyRead()

  const page = findPage(site.edition, route)
  if (page) {
    if (!isCanonical) return answerRedirect(308, withQuery(pathTo(site, route), request))
    if (page.index.fields.url !== null) return answerLinkPage(site, page, page.index.fields.url)
    return await answerPage(deps, site, { request, page, form: formFor(request.headers.accept) })
  }
  if (isAgentFile(route) && !site.edition.tree.entries.has(route.slice(1))) {
    const answer = await answerAgentFile(deps, site, { request, route })
    if (answer) return answer
  }
  const written = findMarkdown(site.edition, route)
  if (written) return await answerPage(deps, site, { request, page: written, form: 'markdown' })
  return (
    answerMoved(site, { request, route }) ??
    (await findAsset(deps, site, { request, route })) ??
    (await answerNotFound(site, request, route))
  )
}

/** Drafts are for those who were shown them: kept nowhere, listed nowhere, and not named to where their links lead. */
function keepPrivate(answer: SiteAnswer): SiteAnswer {
  // The same for all sites, and nobody's secret.
  if (answer.headers['cache-control']?.includes('immutable')) return answer
  const headers = {
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function isRead({ method }: SiteRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function onlyRead(): SiteAnswer {
  return answerNothing(405, { allow: 'GET, HEAD' })
}

async function answerOwn(
  deps: ServeDeps,
  site: ServedSite,
  { request, name }: { request: SiteRequest; name: string },
): Promise<SiteAnswer> {
  if (name === 'feedback') return await answerFeedback(deps, site, request)
  if (name === 'click') return await answerClick(deps, site, request)
  if (!isRead(request)) return onlyRead()
  if (name === 'search') return await answerSearch(deps, site, request)
  const file = await answerOwnFile(deps, site, { request, name })
  return file ?? (await answerNotFound(site, request, null))
}

async function mcp(deps: ServeDeps, site: ServedSite, request: SiteRequest): Promise<SiteAnswer> {
  // A page elsewhere could make its own name lead here, and read with the browser of somebody who may.
  if (!isOwnOrigin(request.headers, site)) {
    return answerProblem(403, 'auth.cross_site', 'Requests from pages of other sites are not answered.')
  }
  const markdownOf = async (page: EditionPage) => {
    const wanted = { page, form: 'markdown' } as const
    const { body } = await ensureFinished(deps, site, { ...wanted, key: keyOf(site, wanted) })
    return body.toString('utf8')
  }
  return await answerMcp(request, { site, markdownOf })
}

async function answerPage(
  deps: ServeDeps,
  site: ServedSite,
  { request, ...wanted }: WantedPage & { request: SiteRequest },
): Promise<SiteAnswer> {
  const key = keyOf(site, wanted)
  const finished = await ensureFinished(deps, site, { ...wanted, key })
  return await answerFinished(deps, request, { key, finished, view: wanted.page.route })
}

/** A page that is only a link: to another site, or to somewhere else on this one. */
function answerLinkPage(site: ServedSite, page: EditionPage, url: string): SiteAnswer {
  const target = findRedirect(site, url)
  return answerRedirect(307, target ?? pathTo(site, site.edition.model.home ?? page.route))
}

function answerMoved(site: ServedSite, { request, route }: { request: SiteRequest; route: string }): SiteAnswer | null {
  const moved = findMoved(site.edition, route)
  if (moved !== null) return answerRedirect(308, withQuery(pathTo(site, moved), request))
  const written = site.edition.model.redirectOf(route)
  const target = written === null ? null : findRedirect(site, written)
  return target === null ? null : answerRedirect(308, withQuery(target, request))
}

/** What somebody's campaign or reader added to the address goes on with them. */
function withQuery(location: string, { query }: SiteRequest): string {
  if (query.size === 0 || location.includes('?')) return location
  const hash = location.indexOf('#')
  if (hash === -1) return `${location}?${query}`
  return `${location.slice(0, hash)}?${query}${location.slice(hash)}`
}

async function findAsset(
  deps: ServeDeps,
  site: ServedSite,
  input: { request: SiteRequest; route: string },
): Promise<SiteAnswer | null> {
  try {
    return await answerAsset(deps, site, input)
  } catch (error) {
    if (error instanceof DocentError && error.kind === 'too_large') {
      return answerProblem(404, 'site.asset_too_large', 'This file is too large to be served.')
    }
    throw error
  }
}
