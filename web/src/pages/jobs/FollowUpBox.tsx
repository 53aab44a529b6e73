import type { RefObject } from 'react'
import { Link } from 'wouter'
import type { AgentJob } from '../../api/client.ts'
import { Card } from '../../ui/Card.tsx'
import type { Submission } from './job-queries.ts'
import { PromptForm } from './PromptForm.tsx'

interface FollowUpBoxProps {
  job: AgentJob
  projectId: string
  text: string
  onText(text: string): void
  onSubmit(submission: Submission): Promise<unknown>
  textRef: RefObject<HTMLTextAreaElement | null>
}

export function FollowUpBox({ job, projectId, text, onText, onSubmit, textRef }: FollowUpBoxProps) {
  if (job.status === 'archived') {
    return (
      <p className="rounded-xl border border-dashed px-5 py-4 text-sm text-muted">
        This job is archived and takes no more messages. Its pull request, if there is one, stays as it is.{' '}
        <Link href={`/p/${projectId}/jobs`} className="font-medium text-accent-strong underline underline-offset-2">
          Make a new job
        </Link>{' '}
        to ask for more.
      </p>
    )
  }
  return (
    <Card title="Follow up" description={hintFor(job)}>
      <PromptForm
        label={job.status === 'failed' ? 'What should change instead?' : 'What else should change?'}
        placeholder="Also …"
        submitLabel="Send"
        text={text}
        onText={onText}
        textRef={textRef}
        onSubmit={onSubmit}
      />
    </Card>
  )
}

function hintFor({ status, prLink }: AgentJob): string {
  if (status === 'active') return 'The agent is at work: what you send waits its turn.'
  if (status === 'failed') return 'Say it in another way, and the job is tried again.'
  return prLink
    ? 'The agent goes on with the same pull request while it is open, and opens a new one once it is merged or closed.'
    : 'The agent starts again from the newest version of the docs.'
}
