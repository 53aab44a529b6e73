import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Project } from '../../api/client.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { Badge, Card, Skeleton } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Time } from '../../ui/Time.tsx'
import { siteQuery } from './overview.ts'

/** What readers get, and the project's own facts. */
export function SiteCard({ project }: { project: Project }) {
  const site = useQuery(siteQuery(project.id))
  const live = site.data?.live
  return (
    <Card
      title="Site"
      actions={
        <Link href={`/p/${project.id}/site`} className={buttonClasses()}>
          Deployments
        </Link>
      }
    >
      {site.isError && <ErrorNote error={site.error} onRetry={() => site.refetch()} />}
      {site.isPending && <Skeleton className="h-40" />}
      {site.data && (
        <dl className="flex flex-col gap-3 text-sm">
          <Fact name="State">
            <span className="flex flex-wrap gap-1.5">
              {live ? <Badge tone="good">live</Badge> : <Badge>not published yet</Badge>}
              {site.data.building && <Badge tone="accent">publishing</Badge>}
            </span>
          </Fact>
          <Fact name="Address">
            <a href={site.data.url} className="break-all text-accent-strong underline underline-offset-2">
              {site.data.url}
            </a>
          </Fact>
          {live && (
            <>
              <Fact name="Published">
                <Time at={live.finishedAt ?? live.createdAt} isRelative />
                {live.commit && <code className="ml-1.5 font-mono text-xs text-muted">{live.commit.slice(0, 7)}</code>}
              </Fact>
              <Fact name="Pages">{live.pages}</Fact>
              <Fact name="Warnings">
                {live.warnings === 0 ? (
                  'None: everything is shown as it was meant.'
                ) : (
                  <Link
                    href={`/p/${project.id}/site`}
                    className="inline-flex items-center gap-1.5 text-warn underline underline-offset-2"
                  >
                    <TriangleAlert aria-hidden className="size-4" />
                    {live.warnings === 1 ? 'One thing is' : `${live.warnings} things are`} not shown as meant
                  </Link>
                )}
              </Fact>
            </>
          )}
        </dl>
      )}
      <dl className="flex flex-col gap-3 border-t pt-4 text-sm">
        <Fact name="Project id">
          <span className="flex items-center gap-1">
            <code className="min-w-0 font-mono text-xs break-all">{project.id}</code>
            <CopyButton text={project.id} label="Copy the project id" isIconOnly />
          </span>
        </Fact>
        <Fact name="Source">
          <span className="break-all">{project.source.repository}</span>
          <span className="block text-xs text-muted">
            {project.source.ref ?? 'default branch'}
            {project.source.docsPath && `, folder ${project.source.docsPath}`}
          </span>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
