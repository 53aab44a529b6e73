import { Readable } from 'node:stream'
import { checkTimes } from '#backends/events/check-times.ts'
import type {
  AgentCounts,
  AgentReport,
  AiScope,
  Counts,
  EventStore,
  Interval,
  IntervalCounts,
  PathCounts,
  PathQuery,
  PathReport,
  Range,
  RangeQuery,
  ReferrerReport,
} from '#backends/events/event-store.ts'
import { aiCategories, type Category, directAiCategories, type View } from '#backends/events/view.ts'
import { viewsOf } from '#backends/events/view-columns.ts'
import { DocentError } from '#base/errors.ts'

const dayMs = 24 * 60 * 60 * 1000
/** How reports call a client without a name. */
const unnamed = 'unnamed'

/**
 * An event store that keeps views in an array and counts by looking at each of them. Too plain to be wrong: what other
 * stores are held against. What it is given as a disk outlives it.
 */
export function createMemoryEventStore(disk: { views: View[] } = { views: [] }): EventStore {
  let isClosed = false

  const find = (projectId: string, range: Range) =>
    disk.views.filter((view) => view.projectId === projectId && isWithin(view.at, range))

  function remove(isRemoved: (view: View) => boolean): number {
    const before = disk.views.length
    disk.views = disk.views.filter((view) => !isRemoved(view))
    return before - disk.views.length
  }

  function reportByPath(query: PathQuery, count: (views: readonly View[], ai: AiScope) => Counts): PathReport {
    const counted = find(query.projectId, query.range).filter((view) => isCounted(view, query.ai))
    const rows = [...Map.groupBy(counted, (view) => view.path)]
      .map(([path, views]) => ({ path, ...count(views, query.ai) }))
      .filter(({ path }) => inLowerCase(path).includes(inLowerCase(query.path ?? '')))
      .sort((a, b) => comparePaths(a, b, query) || compareBytes(a.path, b.path))
    return { totals: count(counted, query.ai), ...cutPage(rows, query) }
  }

  async function append(views: readonly View[]): Promise<void> {
    if (isClosed) throw new DocentError('unavailable', 'analytics.closed', 'The event store is closed.')
    checkTimes(views.map(({ at }) => at))
    const idOf = ({ projectId, eventId }: View) => (eventId === null ? null : `${projectId} ${eventId}`)
    const known = new Set(disk.views.map(idOf))
    for (const view of views) {
      const id = idOf(view)
      if (id !== null && known.has(id)) continue
      known.add(id)
      disk.views.push(view)
    }
  }

  return {
    append,
    appendColumns: (columns) => append(viewsOf(columns)),

    async visitors(query) {
      return reportByPath(query, countVisitors)
    },

    async views(query) {
      return reportByPath(query, countViews)
    },

    async agents(query): Promise<AgentReport> {
      const views = find(query.projectId, query.range).filter((view) => isAi(view.verdict.category, query.ai))
      const rows = [
        ...Map.groupBy(views, ({ verdict }) => JSON.stringify([verdict.client ?? unnamed, verdict.category])),
      ]
        .map(([, ofClient]) => countAgent(ofClient))
        .sort(
          (a, b) =>
            b.visitors - a.visitors ||
            b.views - a.views ||
            compareBytes(a.client, b.client) ||
            compareBytes(a.category, b.category),
        )
      return { totals: { visitors: countDistinct(views), views: views.length }, ...cutPage(rows, query) }
    },

    async referrers({ by, ai, ...query }): Promise<ReferrerReport> {
      const counted = find(query.projectId, query.range).filter((view) => isCounted(view, ai))
      const nameOf = ({ referrer }: View) =>
        by === 'url' || referrer === null ? referrer : (/^https?:\/\/([^/]+)/.exec(referrer)?.[1] ?? referrer)
      const countsOf = (views: readonly View[]) => ({ ...countVisitors(views, ai), views: views.length })
      const rows = [...Map.groupBy(counted, nameOf)]
        .map(([referrer, views]) => ({ referrer, ...countsOf(views) }))
        .sort((a, b) => b.total - a.total || b.views - a.views || compareNullable(a.referrer, b.referrer))
      return { totals: countsOf(counted), ...cutPage(rows, query) }
    },

    async timeseries({ projectId, range, ai, interval }: RangeQuery & { interval: Interval }) {
      const counted = find(projectId, range).filter((view) => isCounted(view, ai))
      return [...Map.groupBy(counted, (view) => startOf(view.at, interval))]
        .map(([start, views]): IntervalCounts => {
          return { start, visitors: countVisitors(views, ai), views: countViews(views, ai) }
        })
        .sort((a, b) => a.start - b.start)
    },

    async exportViews({ projectId, range, format }) {
      if (format === 'parquet') {
        throw new DocentError('unsupported', 'analytics.format', 'Views in memory are exported as jsonl only.')
      }
      const lines = find(projectId, range)
        .sort((a, b) => a.at - b.at)
        .map((view) => `${JSON.stringify(exportedRow(view))}\n`)
      return Readable.from(lines, { objectMode: false })
    },

    async forgetVisitors({ projectId, visitors }) {
      return remove((view) => view.projectId === projectId && visitors.includes(view.visitor))
    },

    async deleteProject(projectId) {
      remove((view) => view.projectId === projectId)
    },

    async prune({ projectId, before }) {
      const midnight = Math.floor(before / dayMs) * dayMs
      return remove((view) => view.projectId === projectId && view.at < midnight)
    },

    async listProjects() {
      return [...new Set(disk.views.map((view) => view.projectId))]
    },

    async compact() {},
    async ping() {},
    async close() {
      isClosed = true
    },
  }
}

/** A view as an export tells it. */
export function exportedRow(view: View) {
  const { category, client, reason, verification, listVersion } = view.verdict
  return {
    timestamp: new Date(view.at).toISOString(),
    path: view.path,
    visitor: view.visitor.toString(16).padStart(16, '0'),
    category,
    client,
    reason,
    verification,
    listVersion,
    referrer: view.referrer,
    source: view.source,
  }
}

function isWithin(at: number, { from, to }: Range): boolean {
  return (from === null || from <= at) && (to === null || at < to)
}

function isAi(category: Category, scope: AiScope): boolean {
  const ai: readonly Category[] = scope === 'all' ? aiCategories : directAiCategories
  return ai.includes(category)
}

function isCounted(view: View, scope: AiScope): boolean {
  return view.verdict.category === 'human' || isAi(view.verdict.category, scope)
}

function countDistinct(views: readonly View[]): number {
  return new Set(views.map((view) => view.visitor)).size
}

function split(views: readonly View[], scope: AiScope) {
  return {
    human: views.filter((view) => view.verdict.category === 'human'),
    ai: views.filter((view) => isAi(view.verdict.category, scope)),
  }
}

function countVisitors(views: readonly View[], scope: AiScope): Counts {
  const { human, ai } = split(views, scope)
  return { human: countDistinct(human), ai: countDistinct(ai), total: countDistinct([...human, ...ai]) }
}

function countViews(views: readonly View[], scope: AiScope): Counts {
  const { human, ai } = split(views, scope)
  return { human: human.length, ai: ai.length, total: human.length + ai.length }
}

function countAgent(views: readonly View[]): AgentCounts {
  const { client, category } = views[0]!.verdict
  return {
    client: client ?? unnamed,
    category,
    visitors: countDistinct(views),
    views: views.length,
    verifiedViews: views.filter((view) => view.verdict.verification === 'verified').length,
    lastSeenAt: Math.max(...views.map((view) => view.at)),
    reasons: [...new Set(views.map((view) => view.verdict.reason))].sort(compareBytes),
  }
}

function cutPage<Row>(rows: Row[], { limit, offset }: { limit: number; offset: number }) {
  return { rows: rows.slice(offset, offset + limit), hasMore: rows.length > offset + limit }
}

function comparePaths(a: PathCounts, b: PathCounts, { sort = 'total', order }: PathQuery): number {
  if (sort === 'path') return compareBytes(a.path, b.path) * (order === 'desc' ? -1 : 1)
  return (a[sort] - b[sort]) * (order === 'asc' ? 1 : -1)
}

function inLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function compareNullable(a: string | null, b: string | null): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : compareBytes(a, b)
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function startOf(at: number, interval: Interval): number {
  const date = new Date(at)
  if (interval === 'hour') return date.setUTCMinutes(0, 0, 0)
  date.setUTCHours(0, 0, 0, 0)
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (interval === 'month') date.setUTCDate(1)
  return date.getTime()
}
