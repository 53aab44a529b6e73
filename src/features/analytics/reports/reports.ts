import type { Readable } from 'node:stream'
import type { ExportFormat, Interval, PathSort, Range, ReferrerGroup, SortOrder } from '#backends/events/event-store.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject, type Project } from '#features/projects/service.ts'
import type { Page } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { readSettings } from '../settings/settings.ts'
import { checkIntervals, fillIntervals } from './fill-intervals.ts'
import type { AgentReport, ReferrerReport, Timeseries, ViewReport, VisitorReport } from './schema.ts'

export type ReportDeps = Pick<AnalyticsDeps, 'db' | 'config' | 'events'>

/** What every report is about. */
interface About {
  projectId: string
  range: Range
  by: Caller
}

/** Which pages of a site, and in which order. */
export interface PathPage extends Page {
  sort?: PathSort | undefined
  order?: SortOrder | undefined
  path?: string | undefined
}

/** Throws `not_found`, for a project of another organization too. */
export async function readVisitors(
  deps: ReportDeps,
  { page, ...about }: About & { page: PathPage },
): Promise<VisitorReport> {
  const query = { ...(await queryOf(deps, about)), ...pageOf(page) }
  const { totals, rows, hasMore } = await deps.events.visitors(query)
  return { totals, visitors: rows, hasMore }
}

export async function readViews(deps: ReportDeps, { page, ...about }: About & { page: PathPage }): Promise<ViewReport> {
  const { totals, rows, hasMore } = await deps.events.views({ ...(await queryOf(deps, about)), ...pageOf(page) })
  return { totals, views: rows, hasMore }
}

export async function readAgents(deps: ReportDeps, { page, ...about }: About & { page: Page }): Promise<AgentReport> {
  const { totals, rows, hasMore } = await deps.events.agents({ ...(await queryOf(deps, about)), ...page })
  const agents = rows.map((row) => ({
    ...row,
    category: row.category as AgentReport['agents'][number]['category'],
    lastSeenAt: new Date(row.lastSeenAt).toISOString(),
  }))
  return { totals, agents, hasMore }
}

export async function readReferrers(
  deps: ReportDeps,
  { page, group, ...about }: About & { page: Page; group: ReferrerGroup },
): Promise<ReferrerReport> {
  const query = { ...(await queryOf(deps, about)), limit: page.limit, offset: page.offset, by: group }
  const { totals, rows, hasMore } = await deps.events.referrers(query)
  return { totals, referrers: rows, hasMore }
}

export async function readTimeseries(
  deps: ReportDeps,
  { interval, ...about }: About & { interval: Interval },
): Promise<Timeseries> {
  const query = await queryOf(deps, about)
  checkIntervals(about.range, interval)
  const counted = await deps.events.timeseries({ ...query, interval })
  const timeseries = fillIntervals(counted, { range: about.range, interval }).map((counts) => ({
    ...counts,
    start: new Date(counts.start).toISOString(),
  }))
  return { interval, timeseries }
}

/** Every view there is, as a file. The caller reads or destroys it. */
export async function exportViews(
  deps: ReportDeps,
  { projectId, range, format, by }: About & { format: ExportFormat },
): Promise<{ project: Project; file: Readable }> {
  const project = await getProject(deps, { id: projectId, by })
  return { project, file: await deps.events.exportViews({ projectId, range, format }) }
}

/** Without what was not asked for: the store knows what is meant then. */
function pageOf({ limit, offset, sort, order, path }: PathPage) {
  return { limit, offset, ...(sort && { sort }), ...(order && { order }), ...(path && { path }) }
}

async function queryOf(deps: ReportDeps, { projectId, range, by }: About) {
  const { aiTraffic } = await readSettings(deps, { projectId, by })
  return { projectId, range, ai: aiTraffic }
}
