import type { ReactNode } from 'react'
import type { AgentJob } from '../../api/client.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { Time } from '../../ui/Time.tsx'
import { builtinEditor } from './editor-forms.ts'

/** What is known of a job at any time. */
export function JobFacts({ job }: { job: AgentJob }) {
  const { steps, inputTokens, outputTokens } = job.usage
  return (
    <section aria-label="About this job" className="rounded-xl border bg-surface p-5">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 text-sm lg:grid-cols-1">
        <Fact name="Asked">
          <Time at={job.createdAt} />
        </Fact>
        {job.archivedAt && (
          <Fact name="Archived">
            <Time at={job.archivedAt} />
          </Fact>
        )}
        <Fact name="Model">
          <span className="font-mono text-[0.8125rem] break-all">{job.model}</span>
        </Fact>
        <Fact name="Used" title="Of all prompts of this job">
          {steps === 1 ? '1 step' : `${formatNumber(steps)} steps`}
          <span className="block text-xs text-muted">
            {job.model === builtinEditor
              ? 'no tokens: it asks no AI'
              : `${formatNumber(inputTokens)} tokens read, ${formatNumber(outputTokens)} written`}
          </span>
        </Fact>
        <Fact name="Starts from">
          <span className="font-mono text-[0.8125rem] break-all">{job.source.ref}</span>
        </Fact>
        {job.branch && (job.prLink !== null || job.status === 'active') && (
          <Fact name="Branch">
            <span className="font-mono text-[0.8125rem] break-all">{job.branch}</span>
          </Fact>
        )}
        <Fact name="Job id" isWide>
          <span className="flex items-center gap-1">
            <span className="min-w-0 font-mono text-[0.8125rem] break-all">{job.id}</span>
            <CopyButton text={job.id} label="Copy the job id" isIconOnly />
          </span>
        </Fact>
      </dl>
    </section>
  )
}

function Fact({
  name,
  title,
  isWide = false,
  children,
}: {
  name: string
  title?: string
  isWide?: boolean
  children: ReactNode
}) {
  return (
    <div className={isWide ? 'col-span-full min-w-0' : 'min-w-0'} title={title}>
      <dt className="mb-0.5 text-xs text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
