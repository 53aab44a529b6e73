import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import type { Interval } from '../../charts/interval-words.ts'
import { intervalFor, lengthInDays, queryOf, type Range } from './range.ts'

export interface Asked {
  projectId: string
  range: Range
}

export type PathQuery = NonNullable<Operations['getVisitors']['query']>
export type ReferrerQuery = NonNullable<Operations['getReferrers']['query']>

/** The numbers of the whole site: unique visitors and views. */
export const totalsQuery = ({ projectId, range }: Asked) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'totals', range],
    queryFn: async ({ signal }) => {
      const input = { path: { projectId }, query: { ...queryOf(range), limit: 1 }, signal }
      const [visitors, views] = await Promise.all([api.getVisitors(input), api.getViews(input)])
      return { visitors: visitors.totals, views: views.totals }
    },
    placeholderData: keepPreviousData,
  })

export const timeseriesQuery = ({ projectId, range }: Asked) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'timeseries', range],
    queryFn: async ({ signal }) => {
      const read = (interval: Interval) =>
        api.getTimeseries({ path: { projectId }, query: { ...queryOf(range), interval }, signal })
      const days = lengthInDays(range)
      if (days !== null) return await read(intervalFor(days))
      // How long all time is only its months tell.
      const months = await read('month')
      const { length } = months.timeseries
      return length > 24 ? months : await read(length > 3 ? 'week' : 'day')
    },
    placeholderData: keepPreviousData,
  })

/** Pages by unique visitors or by views, in one form. */
export const pagesQuery = ({ projectId, counted, query }: { projectId: string; counted: Counted; query: PathQuery }) =>
  queryOptions({
    queryKey: ['analytics', projectId, counted, query],
    queryFn: async ({ signal }) => {
      const input = { path: { projectId }, query, signal }
      if (counted === 'views') {
        const { views: rows, totals, hasMore } = await api.getViews(input)
        return { rows, totals, hasMore }
      }
      const { visitors: rows, totals, hasMore } = await api.getVisitors(input)
      return { rows, totals, hasMore }
    },
    placeholderData: keepPreviousData,
  })
export type Counted = 'visitors' | 'views'

export const agentsQuery = (projectId: string, query: NonNullable<Operations['getAgents']['query']>) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'agents', query],
    queryFn: ({ signal }) => api.getAgents({ path: { projectId }, query, signal }),
    placeholderData: keepPreviousData,
  })

export const referrersQuery = (projectId: string, query: ReferrerQuery) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'referrers', query],
    queryFn: ({ signal }) => api.getReferrers({ path: { projectId }, query, signal }),
    placeholderData: keepPreviousData,
  })

export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['analytics', projectId, 'settings'],
    queryFn: () => api.getAnalyticsSettings({ path: { projectId } }),
  })
