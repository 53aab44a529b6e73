import type { Provider } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Edition } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { editUrl } from './edit-url.ts'
import type { LiveRow } from './store.ts'

export interface ServedPlace {
  /** Below the server's own address; null at a domain. */
  base: string | null
  domain: string | null
  edition: Edition
  kind: 'live' | 'preview'
  /** Where its files can be edited; null: nowhere. */
  branch: string | null
  docsPath: string
}

/** An edition at an address. */
export function servedSite(config: Pick<Config, 'baseUrl'>, project: LiveRow, place: ServedPlace): ServedSite {
  const { base, domain, edition, kind, branch, docsPath } = place
  const { provider, repository } = project
  const server = new URL(config.baseUrl)
  return {
    projectId: project.projectId,
    name: project.name,
    edition,
    base: domain === null ? server.pathname.replace(/\/+$/, '') + base : '',
    origin: domain === null ? server.origin : domainOrigin(config, domain),
    kind,
    editUrl(path) {
      if (branch === null || repository === null) return null
      const whole = docsPath === '' ? path : `${docsPath}/${path}`
      return editUrl({ provider: provider as Provider, repository, branch, path: whole })
    },
  }
}

/** A proxy that ends TLS does so for all names; without one, domains are served on the server's own port. */
export function domainOrigin({ baseUrl }: Pick<Config, 'baseUrl'>, domain: string): string {
  const { protocol, port } = new URL(baseUrl)
  return protocol === 'https:' || port === '' ? `${protocol}//${domain}` : `${protocol}//${domain}:${port}`
}
