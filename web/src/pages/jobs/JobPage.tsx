import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { AgentJob } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { PageHeader, Skeleton } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { ArchiveButton } from './ArchiveButton.tsx'
import { Changes } from './Changes.tsx'
import { Failure } from './Failure.tsx'
import { FollowUpBox } from './FollowUpBox.tsx'
import { JobFacts } from './JobFacts.tsx'
import { jobName } from './JobItem.tsx'
import { JobState } from './JobState.tsx'
import { isEnd, useJobEvents } from './job-events.ts'
import { jobQuery, type Submission, useFollowUp } from './job-queries.ts'
import { usePageTitle } from './page-title.ts'
import { Result } from './Result.tsx'
import { Steps } from './Steps.tsx'
import { useSubmissionKey } from './submission-key.ts'

export default function JobPage() {
  const { projectId, jobId: id } = useParams<{ projectId: string; jobId: string }>()
  const job = useQuery(jobQuery({ projectId, id }))
  usePageTitle(job.data ? jobName(job.data) : 'Job')
  return (
    <>
      <Link
        href={`/p/${projectId}/jobs`}
        className="-mb-3 inline-flex items-center gap-1 self-start text-sm text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        All jobs
      </Link>
      {job.isError && <ErrorNote error={job.error} onRetry={() => job.refetch()} />}
      {/* Another job is another page, with nothing of the last one on it. */}
      {job.data ? <JobView key={id} job={job.data} projectId={projectId} /> : !job.isError && <PageSkeleton />}
    </>
  )
}

function JobView({ job, projectId }: { job: AgentJob; projectId: string }) {
  const path = { projectId, id: job.id }
  const isActive = job.status === 'active'
  const mayWrite = useMayWrite()
  const project = useProject().data
  const queries = useQueryClient()
  const { events, state } = useJobEvents(path, {
    isActive,
    onEnd: () => void queries.invalidateQueries({ queryKey: jobQuery(path).queryKey }),
  })
  const followUp = useFollowUp(path)
  const say = useToast()
  const againKey = useSubmissionKey()
  const [againError, setAgainError] = useState<unknown>(null)
  const [text, setText] = useState('')
  const textRef = useRef<HTMLTextAreaElement>(null)
  const stepsRef = useRef<HTMLDivElement>(null)
  // Whoever came to watch has the steps on top, and they stay there; whoever comes later wants to know what came of it.
  const [isWatched] = useState(isActive)
  const lastEnd = events.length === 0 ? null : (events.findLast(isEnd)?.number ?? null)
  const lastPrompt = events.findLast(({ prompt }) => prompt !== undefined)?.prompt ?? job.prompt

  const send = async (submission: Submission) => {
    await followUp.mutateAsync(submission)
    setText('')
    say(isActive ? 'Your follow-up waits its turn.' : 'The agent is at it.')
    stepsRef.current?.scrollIntoView({ block: 'nearest' })
  }
  const again = () => {
    setAgainError(null)
    void send({ prompt: lastPrompt, key: againKey.keyFor(lastPrompt) }).then(againKey.renew, setAgainError)
  }
  const rephrase = () => {
    setText((typed) => typed || lastPrompt)
    textRef.current?.focus()
  }

  const steps = (
    <div key="steps" ref={stepsRef} className="scroll-mt-16">
      <Steps events={events} state={state} isActive={isActive} />
    </div>
  )
  return (
    <>
      <PageHeader
        title={jobName(job)}
        description={job.title === null ? undefined : <span className="line-clamp-2">{job.prompt}</span>}
        actions={mayWrite ? <ArchiveButton job={job} projectId={projectId} /> : undefined}
      />
      <JobState job={job} events={events} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {isWatched && steps}
          {job.status === 'failed' && job.error && (
            <Failure
              error={job.error}
              projectId={projectId}
              onAgain={mayWrite ? again : null}
              onRephrase={mayWrite ? rephrase : null}
              isSending={followUp.isPending}
              refusal={againError}
            />
          )}
          <Result job={job} project={project} />
          <Changes projectId={projectId} id={job.id} lastEnd={lastEnd} hasSome={job.prLink !== null} />
          {mayWrite ? (
            <FollowUpBox
              job={job}
              projectId={projectId}
              text={text}
              onText={setText}
              onSubmit={send}
              textRef={textRef}
            />
          ) : (
            <p className="text-sm text-muted">{readOnlyReason}</p>
          )}
          {!isWatched && steps}
        </div>
        <div className="lg:sticky lg:top-6 lg:self-start">
          <JobFacts job={job} />
        </div>
      </div>
    </>
  )
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading the job" className="flex flex-col gap-6">
      <Skeleton className="h-8 w-2/3" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </div>
  )
}
