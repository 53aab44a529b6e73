import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { AgentJob, JobDiff } from '../../api/client.ts'

export type JobStatus = AgentJob['status']
export type ChangedFile = JobDiff['files'][number]

export const jobStatuses: readonly JobStatus[] = ['active', 'completed', 'failed', 'archived']
export const jobsPerPage = 25

// Jobs that are made elsewhere, by CI or a colleague, come to light by looking.
const activeEveryMs = 2_500
const quietEveryMs = 20_000

interface JobListKey {
  projectId: string
  status: JobStatus | undefined
  offset: number
}

export const jobsQuery = ({ projectId, status, offset }: JobListKey) =>
  queryOptions({
    queryKey: ['jobs', projectId, status ?? 'all', offset],
    queryFn: () => api.listAgentJobs({ path: { projectId }, query: { status, limit: jobsPerPage, offset } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.jobs.some((job) => job.status === 'active') ? activeEveryMs : quietEveryMs,
  })

interface JobKey {
  projectId: string
  id: string
}

export const jobQuery = (path: JobKey) =>
  queryOptions({
    queryKey: ['job', path.projectId, path.id],
    queryFn: () => api.getAgentJob({ path }),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? activeEveryMs : quietEveryMs),
  })

/** Asked for anew whenever the job has ended once more; `lastEnd` is the number of that event, null while it is unknown. */
export const diffQuery = (path: JobKey, { lastEnd }: { lastEnd: number | null }) =>
  queryOptions({
    queryKey: ['job-diff', path.projectId, path.id, lastEnd],
    queryFn: () => api.getAgentJobDiff({ path }),
    placeholderData: keepPreviousData,
    enabled: lastEnd !== null,
  })

export interface Submission {
  prompt: string
  /** The same for the same submission, so that sending it twice does it once. */
  key: string
}

export function useCreateJob(projectId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ prompt, key }: Submission) =>
      api.createAgentJob({ path: { projectId }, body: { prompt }, headers: { 'idempotency-key': key } }),
    onSuccess: (job) => {
      queries.setQueryData(jobQuery({ projectId, id: job.id }).queryKey, job)
      return queries.invalidateQueries({ queryKey: ['jobs', projectId] })
    },
  })
}

export function useFollowUp(path: JobKey) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ prompt, key }: Submission) =>
      api.sendAgentMessage({ path, body: { prompt }, headers: { 'idempotency-key': key } }),
    onSuccess: (job) => queries.setQueryData(jobQuery(path).queryKey, job),
  })
}

export function useArchive(path: JobKey) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.archiveAgentJob({ path }),
    onSuccess: (job) => {
      queries.setQueryData(jobQuery(path).queryKey, job)
      return queries.invalidateQueries({ queryKey: ['jobs', path.projectId] })
    },
  })
}
