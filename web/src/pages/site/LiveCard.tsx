import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Site } from '../../api/client.ts'
import { buttonClasses } from '../../ui/Button.tsx'
import { Badge, Card, EmptyState } from '../../ui/Card.tsx'
import { Time } from '../../ui/Time.tsx'
import { countWords, reasonWords, shortCommit } from './deployment-words.ts'

/** What readers get at this moment. */
export function LiveCard({ site: { url, live, building } }: { site: Site }) {
  return (
    <Card
      title="Live now"
      description="What readers get at this moment."
      actions={
        live && (
          <a href={url} target="_blank" rel="noreferrer" className={buttonClasses()}>
            <ExternalLink aria-hidden className="size-4" />
            Open the site
          </a>
        )
      }
    >
      <p aria-live="polite" className="flex min-h-6 flex-wrap gap-2">
        {live && <Badge tone="good">Live</Badge>}
        {building && <Badge tone="accent">Another one is on its way</Badge>}
      </p>
      {live ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
          <Fact name="Commit">
            <code title={live.commit ?? undefined}>{shortCommit(live.commit)}</code>
            {live.ref && <span className="text-muted"> of {live.ref}</span>}
          </Fact>
          <Fact name="Since">
            <Time at={live.finishedAt ?? live.createdAt} isRelative />
          </Fact>
          <Fact name="Why">{reasonWords(live)}</Fact>
          <Fact name="Size">{countWords(live.pages, 'page')}</Fact>
          <Fact name="Warnings">
            {live.warnings === 0 ? 'None' : `${countWords(live.warnings, 'warning')}, see below`}
          </Fact>
        </dl>
      ) : (
        <EmptyState title="Nothing is published yet">
          <p>
            Publish now, push to the project’s branch, or open{' '}
            <a href={url} className="underline">
              the site
            </a>
            : its first reader has it published.
          </p>
        </EmptyState>
      )}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
