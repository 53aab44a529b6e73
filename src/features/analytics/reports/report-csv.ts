import { toCsv } from './csv.ts'
import type { AgentReport, ReferrerReport, Timeseries, ViewReport, VisitorReport } from './schema.ts'

type PathRow = VisitorReport['visitors'][number]

/** Rows of a report by page, as CSV; totals are only in the JSON form. */
export function pathsToCsv(rows: readonly PathRow[]): string {
  return toCsv(
    ['path', 'human', 'ai', 'total'],
    rows.map(({ path, human, ai, total }) => [path, human, ai, total]),
  )
}

export const visitorsToCsv = ({ visitors }: VisitorReport) => pathsToCsv(visitors)
export const viewsToCsv = ({ views }: ViewReport) => pathsToCsv(views)

export function agentsToCsv({ agents }: AgentReport): string {
  return toCsv(
    ['client', 'category', 'visitors', 'views', 'verifiedViews', 'lastSeenAt'],
    agents.map((row) => [row.client, row.category, row.visitors, row.views, row.verifiedViews, row.lastSeenAt]),
  )
}

/** Readers who did not say where from have an empty cell. */
export function referrersToCsv({ referrers }: ReferrerReport): string {
  return toCsv(
    ['referrer', 'human', 'ai', 'total', 'views'],
    referrers.map(({ referrer, human, ai, total, views }) => [referrer ?? '', human, ai, total, views]),
  )
}

export function timeseriesToCsv({ timeseries }: Timeseries): string {
  return toCsv(
    ['start', 'visitorsHuman', 'visitorsAi', 'visitorsTotal', 'viewsHuman', 'viewsAi', 'viewsTotal'],
    timeseries.map(({ start, visitors, views }) => [
      ...[start, visitors.human, visitors.ai, visitors.total],
      ...[views.human, views.ai, views.total],
    ]),
  )
}
