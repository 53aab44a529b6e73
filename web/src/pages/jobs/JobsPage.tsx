import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useProject, useProjectId } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, PageHeader, Skeleton } from '../../ui/Card.tsx'
import { classes } from '../../ui/classes.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Pager } from '../../ui/Table.tsx'
import { JobItem } from './JobItem.tsx'
import { type JobStatus, jobStatuses, jobsPerPage, jobsQuery } from './job-queries.ts'
import { NewJobBox } from './NewJobBox.tsx'
import { NoJobs } from './NoJobs.tsx'
import { usePageTitle } from './page-title.ts'
import { statusWord } from './StatusBadge.tsx'

export default function JobsPage() {
  usePageTitle('Jobs')
  const project = useProject()
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHeader title="Jobs" description="Each job is one prompt that becomes a pull request. Newest first." />
      {project.isError && <ErrorNote error={project.error} onRetry={() => project.refetch()} />}
      {!mayWrite ? (
        <p className="text-sm text-muted">{readOnlyReason}</p>
      ) : project.data ? (
        <NewJobBox project={project.data} />
      ) : (
        !project.isError && <Skeleton className="h-72" />
      )}
      <JobList />
    </>
  )
}

function JobList() {
  const projectId = useProjectId()
  const project = useProject().data
  const { status, offset, setStatus, setOffset } = useShownPart()
  const jobs = useQuery(jobsQuery({ projectId, status, offset }))
  const shown = jobs.data?.jobs
  const isNew = shown?.length === 0 && status === undefined && offset === 0
  return (
    <section aria-label="Jobs of this project" className="flex flex-col gap-3">
      {!isNew && <StatusFilter chosen={status} onChoose={setStatus} />}
      {jobs.isError && <ErrorNote error={jobs.error} onRetry={() => jobs.refetch()} />}
      {!shown ? (
        !jobs.isError && <ListSkeleton />
      ) : shown.length > 0 ? (
        <ul className="divide-y overflow-hidden rounded-xl border bg-surface">
          {shown.map((job) => (
            <JobItem key={job.id} job={job} projectId={projectId} />
          ))}
        </ul>
      ) : isNew && project ? (
        <NoJobs project={project} />
      ) : (
        <EmptyState title={status ? `No job is ${status}` : 'No more jobs'}>
          <Button className="self-center" onClick={() => setStatus(undefined)}>
            Show all jobs
          </Button>
        </EmptyState>
      )}
      {jobs.data && (
        <Pager
          offset={offset}
          limit={jobsPerPage}
          count={jobs.data.jobs.length}
          hasMore={jobs.data.hasMore}
          onMove={setOffset}
        />
      )}
    </section>
  )
}

/** The filter and the page stand in the address, so that they can be shared and gone back to. */
function useShownPart() {
  const [search, setSearch] = useSearchParams()
  const given = search.get('status')
  const status = jobStatuses.find((one) => one === given)
  const offset = Math.max(0, Math.floor(Number(search.get('offset')))) || 0
  const show = (part: { status: JobStatus | undefined; offset: number }) =>
    setSearch({ ...(part.status ? { status: part.status } : {}), ...(part.offset ? { offset: `${part.offset}` } : {}) })
  return {
    status,
    offset,
    setStatus: (next: JobStatus | undefined) => show({ status: next, offset: 0 }),
    setOffset: (next: number) => show({ status, offset: next }),
  }
}

function StatusFilter({
  chosen,
  onChoose,
}: {
  chosen: JobStatus | undefined
  onChoose(status: JobStatus | undefined): void
}) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Show jobs by status</legend>
      {[undefined, ...jobStatuses].map((status) => (
        <button
          key={status ?? 'all'}
          type="button"
          aria-pressed={chosen === status}
          onClick={() => onChoose(status)}
          className={classes(
            'min-h-8 rounded-full border px-3 py-1 text-sm font-medium',
            chosen === status
              ? 'border-accent/40 bg-accent-soft text-accent-strong'
              : 'border-transparent text-muted hover:bg-sunken hover:text-ink',
          )}
        >
          {status ? statusWord(status) : 'All'}
        </button>
      ))}
    </fieldset>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading the jobs" className="flex flex-col gap-px overflow-hidden rounded-xl border">
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} className="flex gap-4 bg-surface px-4 py-4">
          <Skeleton className="h-5 w-22" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-3 w-1/3" />
          </div>
        </div>
      ))}
    </div>
  )
}
