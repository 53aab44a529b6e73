import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { lastDays } from './last-days.ts'

export const visitorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['overview', projectId, 'visitors'],
    queryFn: async () => {
      const range = lastDays(Date.now())
      const [report, { timeseries }] = await Promise.all([
        api.getVisitors({ path: { projectId }, query: { ...range, limit: 5 } }),
        api.getTimeseries({ path: { projectId }, query: { ...range, interval: 'day' } }),
      ])
      return { range, totals: report.totals, pages: report.visitors, days: timeseries }
    },
  })

export const latestJobsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['overview', projectId, 'jobs'],
    queryFn: () => api.listAgentJobs({ path: { projectId }, query: { limit: 5 } }),
    // A running job ends without anybody's doing here.
    refetchInterval: ({ state }) => (state.data?.jobs.some(({ status }) => status === 'active') ? 3_000 : false),
  })

export const siteQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['overview', projectId, 'site'],
    queryFn: () => api.getSite({ path: { projectId } }),
    refetchInterval: ({ state }) => (state.data?.building || state.data?.live === null ? 2_000 : false),
  })

export const deploymentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['overview', projectId, 'deployments'],
    queryFn: () => api.listDeployments({ path: { projectId }, query: { limit: 50 } }),
  })
