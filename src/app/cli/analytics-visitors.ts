import { DocentError } from '#base/errors.ts'
import { pathsToCsv } from '#features/analytics/reports/report-csv.ts'
import type { VisitorReport } from '#features/analytics/reports/schema.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand, type Option } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'
import { table } from './output.ts'

/** The range of time that a report is about, in every command that shows one. */
export const rangeOptions = {
  from: { type: 'string', value: 'date', about: 'Only from this date or ISO 8601 time on, UTC.' },
  to: { type: 'string', value: 'date', about: 'Only before this date or ISO 8601 time, UTC.' },
} as const satisfies Record<string, Option>

export function rangeParameters({ from, to }: { from: string | undefined; to: string | undefined }): URLSearchParams {
  const given = Object.entries({ dateFrom: from, dateTo: to }).filter(([, date]) => date !== undefined)
  return new URLSearchParams(given as [string, string][])
}

const mostAtOnce = 250

export const analyticsVisitors = defineCommand({
  name: 'analytics visitors',
  about: 'Shows how many people and AI clients visited the site and each page: exact, each once.',
  options: {
    ...rangeOptions,
    limit: { type: 'string', value: 'number', about: 'How many pages; 50 if left out, with --csv all.' },
    csv: { type: 'boolean', about: 'Print the pages as CSV.' },
    ...projectOption,
    ...serverOptions,
  },
  examples: [
    'docent analytics visitors --from 2026-01-01 --to 2026-02-01',
    'docent analytics visitors --project api-docs --csv > visitors.csv',
  ],
  async run(input) {
    const { limit, csv, from, to, project: wanted } = input.options
    const most = parseLimit(limit) ?? (csv ? Number.POSITIVE_INFINITY : 50)
    const client = createClient(input)
    const project = encodeURIComponent(await findProjectId(client, wanted))
    const report = await readPages(client, `/v1/analytics/${project}/visitors`, { range: { from, to }, most })
    const isAllTime = from === undefined && to === undefined
    input.output.result(report, csv ? pathsToCsv(report.visitors).replace(/\n$/, '') : describe(report, { isAllTime }))
  },
})

function parseLimit(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new DocentError('invalid', 'cli.usage', `--limit: expected a whole number from 1 on, found "${text}".`)
}

async function readPages(
  client: Client,
  address: string,
  { range, most }: { range: { from: string | undefined; to: string | undefined }; most: number },
): Promise<VisitorReport> {
  const parameters = rangeParameters(range)
  const visitors: VisitorReport['visitors'] = []
  while (true) {
    parameters.set('limit', String(Math.min(mostAtOnce, most - visitors.length)))
    parameters.set('offset', String(visitors.length))
    const page = await client.call<VisitorReport>('GET', `${address}?${parameters}`)
    visitors.push(...page.visitors)
    if (!page.hasMore || visitors.length >= most) return { ...page, visitors }
  }
}

function describe({ totals, visitors, hasMore }: VisitorReport, { isAllTime }: { isAllTime: boolean }): string {
  const rows = [{ path: 'whole site', ...totals }, ...visitors]
  const numbers = (['human', 'ai', 'total'] as const).map((name) => {
    const shown = rows.map((row) => row[name].toLocaleString('en'))
    const width = Math.max(name.length, ...shown.map((text) => text.length))
    return [name, ...shown].map((text) => text.padStart(width))
  })
  const [header, ...lines] = ['page', ...rows.map(({ path }) => path)].map((path, index) => [
    path,
    ...numbers.map((column) => column[index]!),
  ])
  const shown = table(header!, lines)
  if (visitors.length === 0) {
    return `${shown}\n${isAllTime ? 'No person and no AI client visited yet. docs/analytics.md says who counts, and how views get in.' : 'No page was visited in this range.'}`
  }
  return hasMore ? `${shown}\n… and more; --limit shows them.` : shown
}
