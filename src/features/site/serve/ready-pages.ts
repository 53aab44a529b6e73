import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { LiveSites } from '../publish/live-sites.ts'
import { findReady, type ReadyAnswer } from './find-ready.ts'
import { domainOf } from './internal-address.ts'
import type { KnownDomains } from './known-domains.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite } from './served-site.ts'

export interface ReadyPage {
  answer: ReadyAnswer
  /** The pattern of the route that would have given it. */
  route: string
}

/** Pages of live sites that are finished, found by a request as it came. */
export interface ReadyPages {
  /** Null for all that is not such a page, or has to wait for anything: that is for the routes. */
  find(request: IncomingMessage): ReadyPage | null
  /** To be called when it is answered. */
  count(request: IncomingMessage, answer: ReadyAnswer): void
}

export interface ReadyPagesInput {
  liveSites: Pick<LiveSites, 'findKnownBySlug' | 'findKnownByDomain'>
  shelf: ServeDeps['shelf']
  domains: Pick<KnownDomains, 'has'>
  routes: { bySlug: string; byDomain: string }
  count: ReadyPages['count']
}

const siteFolder = '/sites/'
// Each is some text of a client's.
const mostHosts = 1_000

export function createReadyPages({ liveSites, shelf, domains, routes, count }: ReadyPagesInput): ReadyPages {
  const domainByHost = new Map<string, string | null>()

  /** Every reader of a site names it in the same words. */
  function readHost(host: string): string | null {
    const known = domainByHost.get(host)
    if (known !== undefined) return known
    const domain = domainOf(host)
    if (domainByHost.size >= mostHosts) domainByHost.clear()
    domainByHost.set(host, domain)
    return domain
  }

  function findIn(site: ServedSite | null, route: string, asked: { path: string; headers: IncomingHttpHeaders }) {
    const answer = site && findReady({ shelf }, site, asked)
    return answer && { answer, route }
  }

  return {
    count,
    find({ method, url = '', headers }) {
      if (method !== 'GET' || headers.host === undefined) return null
      const query = url.indexOf('?')
      const path = query === -1 ? url : url.slice(0, query)
      const domain = readHost(headers.host)
      if (domain !== null && domains.has(domain)) {
        return findIn(liveSites.findKnownByDomain(domain), routes.byDomain, { path, headers })
      }
      const slash = path.indexOf('/', siteFolder.length)
      if (slash === -1 || !path.startsWith(siteFolder)) return null
      const site = liveSites.findKnownBySlug(path.slice(siteFolder.length, slash))
      return findIn(site, routes.bySlug, { path: path.slice(slash), headers })
    },
  }
}
