import type { IncomingHttpHeaders } from 'node:http'
import { DocentError } from '#base/errors.ts'
import { projectNotFound } from '#features/projects/service.ts'
import { clientAddress } from '#infra/http/client-address.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'

export interface Beacon {
  projectId: string
  path: string
  referrer: string | null
  headers: IncomingHttpHeaders
  peer: string | undefined
}

/**
 * Keeps what the browser script tells, and resolves when it is durable. Throws `not_found` for an unknown project and
 * `forbidden` for a site that is not the project's. Of those who do not want to be counted nothing is kept.
 */
export async function collect(
  { intake, config, clock }: Pick<AnalyticsDeps, 'intake' | 'config' | 'clock'>,
  { projectId, path, referrer, headers, peer }: Beacon,
): Promise<{ origin: string }> {
  const project = await intake.findProject(projectId)
  if (!project) throw projectNotFound()
  const { origin } = headers
  if (origin === undefined || !isOwn(origin, [...project.settings.origins, config.baseUrl])) {
    const message = `Views are taken from the project's own sites only. Add the origin ${shown(origin)} to its analytics settings.`
    throw new DocentError('forbidden', 'analytics.origin_not_allowed', message)
  }
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return { origin }
  await intake.record(projectId, [
    {
      source: 'script',
      at: clock.now().getTime(),
      path,
      referrer,
      userAgent: headers['user-agent'] || null,
      // Of the page's own request there is no telling: a beacon accepts anything.
      acceptLanguage: headers['accept-language'] ?? null,
      address: clientAddress({ peer, headers }, config),
      visitorId: null,
      category: null,
      id: null,
    },
  ])
  return { origin }
}

function isOwn(origin: string, allowed: string[]): boolean {
  return allowed.some((address) => origin === address || origin === new URL(address).origin)
}

function shown(origin: string | undefined): string {
  return origin && /^https?:\/\/[\w.:[\]-]{1,253}$/.test(origin) ? origin : 'of the page'
}
