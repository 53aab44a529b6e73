import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { KnownDomains } from './known-domains.ts'

/**
 * Requests to custom domains are told apart before there is a route, and get an address that only this process knows: so
 * nothing else is reachable under such a name, and nobody reaches it under another.
 */
export interface DomainRewrite {
  /** `/{prefix}/{domain}` and the path as it was asked for. */
  prefix: string
  /** For Fastify's `rewriteUrl`. */
  rewrite(request: IncomingMessage): string
}

export function createDomainRewrite(domains: Pick<KnownDomains, 'has'>): DomainRewrite {
  const prefix = `/domain-${randomBytes(16).toString('hex')}`
  return {
    prefix,
    rewrite({ url = '/', headers }) {
      const domain = domainOf(headers.host)
      if (domain === null || !domains.has(domain)) return url
      // A proxy may ask with the whole address.
      const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
      return `${prefix}/${domain}${path.startsWith('/') ? '' : '/'}${path}`
    },
  }
}

/** The name in a Host header, as domains are written down: lower case, without port and final dot. Null for an address. */
export function domainOf(host: string | undefined): string | null {
  if (host === undefined || host.length > 260) return null
  const name = host
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return /^(?=.*[a-z])[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(name) ? name : null
}
