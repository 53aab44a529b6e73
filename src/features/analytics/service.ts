import type { IncomingHttpHeaders } from 'node:http'
import { clientAddress } from '#infra/http/client-address.ts'
import type { AnalyticsDeps } from './analytics-deps.ts'
import { deleteEndedSecrets } from './intake/identity.ts'
import { listProjects } from './settings/store.ts'

export type { AnalyticsDeps } from './analytics-deps.ts'
export { recordFeedback } from './feedback/feedback.ts'
export { NewFeedback } from './feedback/schema.ts'
export { recordSearch, recordSearchClick } from './feedback/searches.ts'

/** A request that was answered with a page of a site. */
export interface ServedPage {
  projectId: string
  /** The page's path inside its site. */
  path: string
  method: string
  /** The whole address as the client asked for it: signatures are made over it. */
  url: string
  headers: IncomingHttpHeaders
  /** The other end of the connection. */
  peer: string | undefined
  status: number
  contentType: string | null
}

/** A page, or its Markdown form. */
const pageTypes = /^text\/(?:html|markdown)\b/i

/** Counts a view of a page that was just served, if it is one. Neither waits nor throws: the reader has the page already. */
export function recordPageView(
  { intake, config, clock, log }: Pick<AnalyticsDeps, 'intake' | 'config' | 'clock' | 'log'>,
  { projectId, path, method, url, headers, peer, status, contentType }: ServedPage,
): void {
  try {
    // A browser that has the page already asks whether it is still right, and shows it again.
    const isSuccess = status === 304 || (status === 200 && contentType !== null && pageTypes.test(contentType))
    if (method !== 'GET' || !isSuccess) return
    intake.offer(projectId, {
      source: 'page',
      at: clock.now().getTime(),
      path,
      referrer: headers.referer ?? null,
      userAgent: headers['user-agent'] || null,
      accept: headers.accept ?? null,
      acceptLanguage: headers['accept-language'] ?? null,
      address: clientAddress({ peer, headers }, config),
      request: { method, url, headers },
      visitorId: null,
      category: null,
      id: null,
    })
  } catch (err) {
    log.warn({ err, projectId }, 'analytics.view_not_recorded')
  }
}

const dayMs = 86_400_000

/**
 * Deletes secrets whose time is over, views past their project's retention, and those of projects that are gone. The
 * signal ends it between two projects; the next sweep does the rest.
 */
export async function sweepAnalytics(
  { db, events, clock, log }: Pick<AnalyticsDeps, 'db' | 'events' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  // First: a store that is away must not make them live longer.
  await deleteEndedSecrets(db, now)
  const withViews = await events.listProjects()
  const projects = new Map((await listProjects(db, withViews)).map((row) => [row.id, row]))
  for (const projectId of withViews) {
    if (signal?.aborted) return
    try {
      const project = projects.get(projectId)
      if (!project) {
        await events.deleteProject(projectId)
        log.info({ projectId }, 'analytics.project_deleted')
      } else if (project.retentionDays !== null) {
        const views = await events.prune({ projectId, before: now.getTime() - project.retentionDays * dayMs })
        if (views > 0) log.info({ projectId, views }, 'analytics.pruned')
      }
    } catch (err) {
      // The next one's time is over all the same.
      log.warn({ err, projectId }, 'analytics.sweep_failed')
    }
  }
}
