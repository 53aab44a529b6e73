import type { Readable } from 'node:stream'
import type { ExportFormat, Interval, Range } from '#backends/events/event-store.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject, type Project } from '#features/projects/service.ts'
import type { Page } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { readSettings } from '../settings/settings.ts'
import { checkIntervals, fillIntervals } from './fill-intervals.ts'
import type { AgentReport, Timeseries, ViewReport, VisitorReport } from './schema.ts'

export type ReportDeps = Pick<AnalyticsDeps, 'db' | 'config' | 'events'>

/** What every report is about. */
interface About {
  projectId: string
  range: Range
  by: Caller
}

/** Throws `not_found`, for a project of another organization too. */
export async function readVisitors(
  deps: ReportDeps,
  { page, ...about }: About & { page: Page },
): Promise<VisitorReport> {
  const { totals, rows, hasMore } = await deps.events.visitors({ ...(await queryOf(deps, about)), ...page })
  return { totals, visitors: rows, hasMore }
}

export async function readViews(deps: ReportDeps, { page, ...about }: About & { page: Page }): Promise<ViewReport> {
  const { totals, rows, hasMore } = await deps.events.views({ ...(await queryOf(deps, about)), ...page })
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

async function queryOf(deps: ReportDeps, { projectId, range, by }: About) {
  const { aiTraffic } = await readSettings(deps, { projectId, by })
  return { projectId, range, ai: aiTraffic }
}
