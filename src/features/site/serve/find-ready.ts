import type { IncomingHttpHeaders } from 'node:http'
import { isAgentFile } from '../agents/agent-files.ts'
import { findMarkdown, findPage } from './find-page.ts'
import { chooseEncoding, hasAlready } from './negotiate.ts'
import { findFinished, formFor, keyOf, type WantedPage } from './page-forms.ts'
import type { ServeDeps } from './serve-deps.ts'
import { ownFolder, type ServedSite } from './served-site.ts'
import { readSitePath } from './site-path.ts'

/** A page as it is written to the client. */
export interface ReadyAnswer {
  site: ServedSite
  status: 200 | 304
  /** Each name before its value. */
  headerList: readonly string[]
  contentType: string
  /** A text is bytes in Latin-1. */
  body: Buffer | string | null
  /** The page's route, to be counted. */
  view: string
}

/**
 * What `handleSiteRequest` answers to a GET for a page of a live site, where nothing has to be made or waited for; null
 * for everything else.
 */
export function findReady(
  deps: Pick<ServeDeps, 'shelf'>,
  site: ServedSite,
  { path, headers }: { path: string; headers: IncomingHttpHeaders },
): ReadyAnswer | null {
  const wanted = findWanted(site, path, headers.accept)
  if (wanted === null || site.kind !== 'live') return null
  const { page } = wanted
  const finished = findFinished(deps, site, { page, key: keyOf(site, wanted) })
  if (finished === null) return null
  const contentType = finished.headers['content-type'] ?? ''
  const view = page.route
  if (hasAlready(headers['if-none-match'], finished.etag)) {
    return { site, status: 304, headerList: finished.headerList, contentType, body: null, view }
  }
  const variant = finished.variants[chooseEncoding(headers['accept-encoding'])]
  if (!variant) return null
  const { headerList, latin1, bytes } = variant
  return { site, status: 200, headerList, contentType, body: latin1 ?? bytes, view }
}

function findWanted({ edition }: ServedSite, path: string, accept: string | undefined): WantedPage | null {
  const read = readSitePath(path)
  if (!read?.isCanonical) return null
  const { route } = read
  if (route === '/mcp' || route.startsWith(`${ownFolder}/`)) return null
  const page = findPage(edition, route)
  if (page) return page.index.fields.url === null ? { page, form: formFor(accept) } : null
  if (isAgentFile(route)) return null
  const written = findMarkdown(edition, route)
  return written && { page: written, form: 'markdown' }
}
