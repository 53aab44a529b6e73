import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { buttonClasses } from '../../ui/Button.tsx'
import { Card, Skeleton } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { DayBars } from './DayBars.tsx'
import { visitorsQuery } from './overview.ts'

const dayName = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

export function VisitorsCard({ projectId }: { projectId: string }) {
  const visitors = useQuery(visitorsQuery(projectId))
  return (
    <Card
      title="Visitors"
      description="Of the last 30 days, each counted once."
      actions={
        <Link href={`/p/${projectId}/visitors`} className={buttonClasses()}>
          All numbers
        </Link>
      }
      className="lg:col-span-2"
    >
      {visitors.isError && <ErrorNote error={visitors.error} onRetry={() => visitors.refetch()} />}
      {visitors.isPending && <Skeleton className="h-72" />}
      {visitors.data && (
        <>
          <dl className="flex flex-wrap gap-x-10 gap-y-3">
            <Count name="People" count={visitors.data.totals.human} mark="bg-human" words="in browsers" />
            <Count
              name="AI clients"
              count={visitors.data.totals.ai}
              mark="bg-ai"
              words="assistants, agents, crawlers"
            />
            <Count name="Together" count={visitors.data.totals.total} words="one that came as both counts once" />
          </dl>
          {visitors.data.totals.total > 0 && <DayBars days={visitors.data.days} />}
          <p className="text-xs text-muted">
            Days in UTC, from {dayName.format(new Date(visitors.data.range.dateFrom))} to today. A visitor is an address
            with a user agent; search engines and tools such as curl count nowhere.
          </p>
          <TopPages pages={visitors.data.pages} />
        </>
      )}
    </Card>
  )
}

function Count({ name, count, mark, words }: { name: string; count: number; mark?: string; words: string }) {
  return (
    <div className="flex flex-col">
      <dt className="flex items-center gap-1.5 text-sm text-muted">
        {mark && <span aria-hidden className={`size-2.5 rounded-sm ${mark}`} />}
        {name}
      </dt>
      <dd className="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(count)}</dd>
      <dd className="text-xs text-muted">{words}</dd>
    </div>
  )
}

function TopPages({ pages }: { pages: { path: string; human: number; ai: number; total: number }[] }) {
  if (pages.length === 0) return null
  const most = pages[0]?.total ?? 1
  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      <h3 className="text-sm font-medium">Most read pages, by visitors</h3>
      <ul className="flex flex-col gap-1.5 text-sm">
        {pages.map(({ path, human, ai, total }) => (
          <li
            key={path}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:grid-cols-[minmax(0,1fr)_8rem_auto]"
            title={`${formatNumber(human)} people, ${formatNumber(ai)} AI clients`}
          >
            <span className="truncate font-mono text-xs">{path}</span>
            <span aria-hidden className="hidden h-1.5 overflow-hidden rounded-full bg-sunken sm:block">
              <span
                className="block h-full rounded-full bg-line-strong"
                style={{ width: `${(total / most) * 100}%` }}
              />
            </span>
            <span className="text-right tabular-nums">{formatNumber(total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
