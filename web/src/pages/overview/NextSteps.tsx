import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Project } from '../../api/client.ts'
import { Badge, Card } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { deploymentsQuery, latestJobsQuery, visitorsQuery } from './overview.ts'

/** What to do with a new project, until all of it is done. */
export function NextSteps({ project }: { project: Project }) {
  const deployments = useQuery(deploymentsQuery(project.id)).data
  const jobs = useQuery(latestJobsQuery(project.id)).data
  const visitors = useQuery(visitorsQuery(project.id)).data
  // One could not be asked for: its card says why.
  if (!deployments || !jobs || !visitors) return null
  const isBuiltin = project.source.provider === 'builtin'
  const isPushed = deployments.deployments.some(
    ({ reason, state }) => state === 'ready' && (!isBuiltin || reason === 'push' || reason === 'poll'),
  )
  const isAsked = jobs.jobs.length > 0
  const isRead = visitors.totals.total > 0
  const doneCount = [isPushed, isAsked, isRead].filter(Boolean).length
  if (doneCount === 3) return null
  return (
    <Card title="Next steps" description={`${doneCount} of 3 done. This goes away when all are.`}>
      <ol className="flex flex-col divide-y">
        <Step number={1} isDone={isPushed} title={isBuiltin ? 'Push a change' : 'Connect the repository'}>
          {isBuiltin ? <PushStep project={project} /> : <ConnectStep project={project} />}
        </Step>
        <Step number={2} isDone={isAsked} title="Ask the agent for a change">
          <p>
            It works in the background and opens a pull request. Ask on the{' '}
            <PageLink href={`/p/${project.id}/jobs`}>Jobs</PageLink> page, or from a program:
          </p>
          <CodeLine code={jobCommand(project)} label="Copy the command that asks the agent" />
        </Step>
        <Step number={3} isDone={isRead} title="See who reads">
          <p>
            <a href={project.siteUrl} className={linkClasses}>
              Open the site
            </a>{' '}
            and you are counted as a person; this one counts as an AI client:
          </p>
          <CodeLine
            code={`curl -s -A claude-code/2.0.1 ${project.siteUrl} | head`}
            label="Copy the command that reads"
          />
        </Step>
      </ol>
    </Card>
  )
}

const linkClasses = 'font-medium text-accent-strong underline underline-offset-2'

function PageLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={linkClasses}>
      {children}
    </Link>
  )
}

function PushStep({ project }: { project: Project }) {
  return (
    <>
      <p>
        Clone the repository, change a page, push. Git asks for a user name (any) and a password: a key of the{' '}
        <PageLink href="/keys">API keys</PageLink> page. What you push is live a moment later.
      </p>
      <CodeLine
        code={`git clone ${project.source.repository} && cd ${project.slug}`}
        label="Copy the command that clones"
      />
      <CodeLine code={'git commit -am "Say hello" && git push'} label="Copy the command that pushes" />
    </>
  )
}

function ConnectStep({ project }: { project: Project }) {
  return (
    <p>
      Docent reads {project.source.repository}. If it is private, it needs a token: see the{' '}
      <PageLink href={`/p/${project.id}/settings`}>settings</PageLink>. What is pushed there is published here.
    </p>
  )
}

function jobCommand({ id }: Project): string {
  const body = JSON.stringify({ prompt: 'add page hello titled "Hello" with "Our first page."' })
  return [
    'curl -H "Authorization: Bearer $DOCENT_API_KEY" -H "Content-Type: application/json" \\',
    `     -d '${body}' \\`,
    `     ${window.location.origin}/v2/agent/${id}/job`,
  ].join('\n')
}

function Step({
  number,
  isDone,
  title,
  children,
}: {
  number: number
  isDone: boolean
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex gap-4 py-4 first:pt-0 last:pb-0">
      {isDone ? (
        <CircleCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-good" />
      ) : (
        <span
          aria-hidden
          className="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border border-line-strong/60 text-xs font-medium text-muted"
        >
          {number}
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h3 className="flex items-center gap-2 font-medium">
          {title} {isDone && <Badge tone="good">done</Badge>}
        </h3>
        {!isDone && <div className="flex flex-col gap-2 text-sm text-muted">{children}</div>}
      </div>
    </li>
  )
}
