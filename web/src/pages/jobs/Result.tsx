import { Link } from 'wouter'
import type { AgentJob, Project } from '../../api/client.ts'
import { Card } from '../../ui/Card.tsx'
import { PullRequestLink } from './PullRequestLink.tsx'
import { SummaryText } from './SummaryText.tsx'

/** What came of the job, in the agent's words, and where it can be merged. */
export function Result({ job, project }: { job: AgentJob; project: Project | undefined }) {
  if (job.title === null) return null
  return (
    <Card title="Result">
      {job.summary && <SummaryText text={job.summary} />}
      {job.prLink ? (
        <div className="flex flex-wrap items-center gap-3 border-t pt-4">
          <PullRequestLink link={job.prLink} isButton />
          <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
            {project?.source.provider === 'builtin' ? (
              <>
                It opens in a new tab, where it can be read and merged. The site follows as soon as it is merged:{' '}
                <Link href={`/p/${project.id}/site`} className="text-accent-strong underline underline-offset-2">
                  see the deploys
                </Link>
                .
              </>
            ) : (
              'It opens in a new tab, at the code host, where it can be read and merged.'
            )}
          </p>
        </div>
      ) : (
        job.status === 'completed' && (
          <p className="text-sm text-muted">No file had to change, so there is no pull request.</p>
        )
      )}
    </Card>
  )
}
