import { useQueries } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import type { Project } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { useMayWrite } from '../../api/session.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { PageHeader, Skeleton } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { JobsCard } from './JobsCard.tsx'
import { NextSteps } from './NextSteps.tsx'
import { deploymentsQuery, latestJobsQuery, visitorsQuery } from './overview.ts'
import { SampleTraffic } from './SampleTraffic.tsx'
import { SiteCard } from './SiteCard.tsx'
import { VisitorsCard } from './VisitorsCard.tsx'

export default function OverviewPage() {
  const project = useProject()
  if (project.isError) {
    return (
      <>
        <PageHeader title="Overview" />
        <ErrorNote error={project.error} onRetry={() => project.refetch()} />
      </>
    )
  }
  return project.data ? <Overview project={project.data} /> : <Placeholder />
}

function Overview({ project }: { project: Project }) {
  const { id, name, siteUrl, isDemo } = project
  const mayWrite = useMayWrite()
  // Whether there are steps left is known from these alone; shown before, the cards would jump down when it is.
  const isLoading = useQueries({
    queries: [deploymentsQuery(id), latestJobsQuery(id), visitorsQuery(id)],
    combine: (answers) => answers.some(({ isPending }) => isPending),
  })
  if (isLoading) return <Placeholder />
  return (
    <>
      <PageHeader
        title={name}
        description={isDemo ? 'The demo project, whose site is Docent’s manual.' : undefined}
        actions={
          <a href={siteUrl} className={buttonClasses()}>
            <ExternalLink aria-hidden className="size-4" />
            Open the site
          </a>
        }
      />
      <NextSteps project={project} />
      <div className="grid items-start gap-6 lg:grid-cols-3">
        <VisitorsCard projectId={id} />
        <SiteCard project={project} />
      </div>
      <JobsCard projectId={id} />
      {isDemo && mayWrite && <SampleTraffic projectId={id} />}
    </>
  )
}

function Placeholder() {
  return (
    <div role="status" aria-label="Loading the project" className="flex flex-col gap-6">
      <Skeleton className="h-9 w-48" />
      <Skeleton className="h-48" />
      <div className="grid gap-6 lg:grid-cols-3">
        <Skeleton className="h-96 lg:col-span-2" />
        <Skeleton className="h-96" />
      </div>
    </div>
  )
}
