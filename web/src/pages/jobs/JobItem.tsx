import { GitBranch } from 'lucide-react'
import { Link } from 'wouter'
import type { AgentJob } from '../../api/client.ts'
import { Time } from '../../ui/Time.tsx'
import { withoutForms } from './editor-forms.ts'
import { PullRequestLink } from './PullRequestLink.tsx'
import { StatusBadge } from './StatusBadge.tsx'

/** The first line of what a job is about: what was done, or else what was asked for. */
export function jobName({ title, prompt }: Pick<AgentJob, 'title' | 'prompt'>): string {
  const line = (title ?? prompt).split('\n', 1)[0]!.trim()
  return line.length > 140 ? `${line.slice(0, 139)}…` : line
}

export function JobItem({ job, projectId }: { job: AgentJob; projectId: string }) {
  const isPromptShown = job.title !== null && job.title !== job.prompt
  return (
    <li className="relative flex flex-col gap-2 px-4 py-3.5 hover:bg-sunken/60 sm:flex-row sm:items-start sm:gap-4">
      <div className="w-26 shrink-0 pt-0.5">
        <StatusBadge status={job.status} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        {/* The whole row leads there; what else can be pressed in it stands above. */}
        <Link
          href={`/p/${projectId}/jobs/${job.id}`}
          className="truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {jobName(job)}
        </Link>
        {isPromptShown && <p className="truncate text-sm text-muted">{job.prompt}</p>}
        {job.status === 'failed' && job.error && (
          <p className="line-clamp-2 text-sm text-danger">{withoutForms(job.error.message)}</p>
        )}
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 text-xs text-muted">
          <span className="font-mono">{job.model}</span>
          {job.branch && job.prLink && (
            <span className="flex min-w-0 items-center gap-1 font-mono" title="Branch of the job">
              <GitBranch aria-hidden className="size-3 shrink-0" />
              <span className="truncate">{job.branch}</span>
            </span>
          )}
        </p>
      </div>
      <div className="relative flex shrink-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm sm:w-36 sm:flex-col sm:items-end">
        {job.prLink ? (
          <PullRequestLink link={job.prLink} />
        ) : (
          job.status === 'completed' && <span className="text-muted">Nothing to change</span>
        )}
        <span className="text-xs text-muted">
          <Time at={job.createdAt} isRelative />
        </span>
      </div>
    </li>
  )
}
