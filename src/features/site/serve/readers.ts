import { z } from 'zod'
import { NewFeedback } from '#features/analytics/service.ts'
import { answerJson, answerNothing, answerProblem } from './answers.ts'
import { findPage } from './find-page.ts'
import { isOwnOrigin } from './own-origin.ts'
import { readJson } from './read-json.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from './served-site.ts'
import { readSitePath } from './site-path.ts'

const mostQueryCharacters = 200
const mostHits = 20
const hitsAtFirst = 10

const Feedback = NewFeedback.extend({ path: z.string().max(2048) })
const Click = z.object({
  searchId: z.string().max(60).nullish(),
  /** What was typed, where the search itself was not yet recorded. */
  query: z.string().max(mostQueryCharacters).nullish(),
  path: z.string().max(2048),
})

/**
 * `/_docent/search?q=…`. What people type comes letter by letter; only what they ended at is a search, which the page says
 * by `final=1`, or by the click that follows.
 */
export async function answerSearch(
  { records }: Pick<ServeDeps, 'records'>,
  site: ServedSite,
  { query }: SiteRequest,
): Promise<SiteAnswer> {
  const text = (query.get('q') ?? '').slice(0, mostQueryCharacters).toWellFormed()
  const limit = Math.min(mostHits, Number(/^\d{1,3}$/.exec(query.get('limit') ?? '')?.[0] ?? hitsAtFirst))
  const [language, version] = [query.get('language') || null, query.get('version') || null]
  const hits = text.trim() === '' ? [] : site.edition.search({ text, limit, language, version })
  const isRecorded = records !== null && site.kind === 'live' && query.get('final') === '1'
  const searchId = isRecorded ? await records.search({ projectId: site.projectId, query: text }) : null
  return answerJson(200, { searchId, hits })
}

/** "Was this page helpful?" */
export async function answerFeedback(
  { records }: Pick<ServeDeps, 'records'>,
  site: ServedSite,
  request: SiteRequest,
): Promise<SiteAnswer> {
  const said = readBody(Feedback, request, site)
  if ('refusal' in said) return said.refusal
  const { path, ...feedback } = said.body
  const route = readSitePath(path)?.route
  const page = route === undefined ? null : findPage(site.edition, route)
  if (page === null) return answerProblem(404, 'site.page_not_found', 'There is no such page on this site.')
  if (records !== null && site.kind === 'live') {
    await records.feedback({ projectId: site.projectId, path: page.route, said: feedback })
  }
  return answerNothing(204)
}

/** Which result a reader opened. */
export async function answerClick(
  { records }: Pick<ServeDeps, 'records'>,
  site: ServedSite,
  request: SiteRequest,
): Promise<SiteAnswer> {
  const click = readBody(Click, request, site)
  if ('refusal' in click) return click.refusal
  const route = readSitePath(click.body.path.replace(/[?#].*$/s, ''))?.route
  const page = route === undefined ? null : findPage(site.edition, route)
  if (page === null) return answerProblem(404, 'site.page_not_found', 'There is no such page on this site.')
  if (records !== null && site.kind === 'live') {
    const { projectId } = site
    const { searchId = null, query } = click.body
    const id = searchId ?? (query ? await records.search({ projectId, query }) : null)
    if (id !== null) await records.click({ projectId, searchId: id, path: page.route })
  }
  return answerNothing(204)
}

/** JSON, of a page of this site: no other one may speak for its readers. `sendBeacon` calls it text. */
function readBody<Body extends z.ZodType>(
  schema: Body,
  { method, headers, body }: SiteRequest,
  site: ServedSite,
): { body: z.output<Body> } | { refusal: SiteAnswer } {
  if (method !== 'POST') return { refusal: answerNothing(405, { allow: 'POST' }) }
  if (!isOwnOrigin(headers, site)) {
    return { refusal: answerProblem(403, 'auth.cross_site', 'This is taken from pages of this site only.') }
  }
  if (!/^(?:application\/json|text\/plain)(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return { refusal: answerProblem(415, 'request.not_json', 'Send the body as JSON.') }
  }
  const parsed = schema.safeParse(readJson(body))
  if (parsed.success) return { body: parsed.data }
  const [issue] = parsed.error.issues
  const message = `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}.`
  return { refusal: answerProblem(400, 'request.invalid', message) }
}
