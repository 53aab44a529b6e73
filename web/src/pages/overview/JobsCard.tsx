import { useQuery } from '@tanstack/react-query'
import { GitPullRequest } from 'lucide-react'
import { Link } from 'wouter'
import type { AgentJob } from '../../api/client.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { Badge, Card, SkeletonLines, type Tone } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Time } from '../../ui/Time.tsx'
import { latestJobsQuery } from './overview.ts'

const tones: Record<AgentJob['status'], Tone> = {
  active: 'accent',
  completed: 'good',
  failed: 'danger',
  archived: 'neutral',
}

export function JobsCard({ projectId }: { projectId: string }) {
  const jobs = useQuery(latestJobsQuery(projectId))
  return (
    <Card
      title="Latest jobs"
      actions={
        <Link href={`/p/${projectId}/jobs`} className={buttonClasses()}>
          All jobs
        </Link>
      }
    >
      {jobs.isError && <ErrorNote error={jobs.error} onRetry={() => jobs.refetch()} />}
      {jobs.isPending && <SkeletonLines count={2} label="Loading jobs" />}
      {jobs.data?.jobs.length === 0 && (
        <p className="text-sm text-muted">
          No jobs yet. Ask the agent for a change, and its pull request is listed here.
        </p>
      )}
      {jobs.data && jobs.data.jobs.length > 0 && (
        <ul className="flex flex-col divide-y">
          {jobs.data.jobs.map((job) => (
            <li
              key={job.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm first:pt-0 last:pb-0"
            >
              <Badge tone={tones[job.status]}>{job.status}</Badge>
              <Link
                href={`/p/${projectId}/jobs/${job.id}`}
                className="min-w-0 flex-1 basis-52 truncate font-medium hover:underline"
              >
                {job.title ?? (job.status === 'active' ? 'At work…' : job.id)}
              </Link>
              {job.prLink && (
                <a
                  href={job.prLink}
                  className="inline-flex items-center gap-1 text-accent-strong underline underline-offset-2"
                >
                  <GitPullRequest aria-hidden className="size-4" />
                  Pull request
                </a>
              )}
              <span className="text-muted">
                <Time at={job.createdAt} isRelative />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
