import { useQuery } from '@tanstack/react-query'
import { TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/Card.tsx'
import { classes } from '../../ui/classes.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { differenceOf } from './difference.ts'
import { daysInWords, lengthInDays, periodBefore, type Range } from './range.ts'
import { type Asked, settingsQuery, totalsQuery } from './visitor-queries.ts'

/** The four numbers of a range, each with what it counts and how it differs from the period before. */
export function KeyNumbers({ projectId, range }: Asked) {
  const before = periodBefore(range)
  const now = useQuery(totalsQuery({ projectId, range }))
  const then = useQuery({ ...totalsQuery({ projectId, range: before ?? range }), enabled: before !== null })
  const settings = useQuery(settingsQuery(projectId)).data
  if (now.isError) return <ErrorNote error={now.error} onRetry={() => now.refetch()} />
  if (!now.data) return <NumbersToCome />
  const { visitors, views } = now.data
  // What is still shown of another range must not be compared with this one.
  const isSettled = !now.isPlaceholderData && !then.isPlaceholderData
  const was = before && isSettled ? then.data : undefined
  const shared = { range, isComparing: before !== null && !was && !then.isError }
  const isDirect = settings?.aiTraffic === 'direct'
  const ids = idNote[settings?.visitorIds ?? 'stable']
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4" aria-busy={now.isFetching}>
        <KeyNumber {...shared} name="People" tone="bg-human" value={visitors.human} before={was?.visitors.human}>
          Unique visitors that read in a browser. One visitor is one address with one user agent, or one id of your own;
          each counts once, however many days or pages. {ids}
        </KeyNumber>
        <KeyNumber {...shared} name="AI clients" tone="bg-ai" value={visitors.ai} before={was?.visitors.ai}>
          Unique visitors that are{' '}
          {isDirect ? 'assistants or agents' : 'assistants, agents, AI search or training crawlers'}
          {isDirect && ', as the analytics settings of this project say'}. Search engines, monitors and HTTP libraries
          count nowhere. {ids}
        </KeyNumber>
        <KeyNumber {...shared} name="All visitors" value={visitors.total} before={was?.visitors.total}>
          People and AI clients together, each visitor once. One that was seen as both (somebody whose agent reads from
          the same machine with the same user agent) is one here, so this can be less than the sum of the two.
        </KeyNumber>
        <KeyNumber {...shared} name="Views" value={views.total} before={was?.views.total}>
          Pages read, each time: {formatNumber(views.human)} by people and {formatNumber(views.ai)} by AI clients.
          Images, errors and prefetches are none.
        </KeyNumber>
      </div>
      {then.isError && <ErrorNote error={then.error} onRetry={() => then.refetch()} />}
    </div>
  )
}

const idNote = {
  stable: '',
  monthly: 'Ids change each month here, so a visitor of two months counts twice.',
  daily: 'Ids change each day here, so a visitor of two days counts twice.',
}

interface KeyNumberProps {
  name: string
  tone?: string
  value: number
  before: number | undefined
  range: Range
  isComparing: boolean
  children: ReactNode
}

function KeyNumber({ name, tone, value, before, range, isComparing, children }: KeyNumberProps) {
  return (
    <article aria-label={name} className="flex flex-col gap-1 rounded-xl border bg-surface px-5 py-4">
      <h2 className="flex items-center gap-2 text-sm font-medium text-muted">
        {tone && <span aria-hidden className={classes('size-2.5 rounded-full', tone)} />}
        {name}
      </h2>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(value)}</p>
      <div className="min-h-10 text-sm">
        {before !== undefined && <Compared value={value} before={before} days={lengthInDays(range) ?? 0} />}
        {isComparing && <Skeleton className="mt-1 h-4 w-40" />}
      </div>
      <details className="text-xs text-muted">
        <summary className="w-fit rounded underline decoration-dotted underline-offset-2">What this counts</summary>
        <p className="pt-1.5">{children}</p>
      </details>
    </article>
  )
}

function Compared({ value, before, days }: { value: number; before: number; days: number }) {
  const { direction, words } = differenceOf(value, before)
  const Picture = { more: TrendingUp, fewer: TrendingDown, same: null }[direction]
  return (
    <p className="text-muted">
      <span
        className={classes('font-medium', direction === 'more' && 'text-good', direction === 'fewer' && 'text-warn')}
      >
        {Picture && <Picture aria-hidden className="mr-1 inline size-4" />}
        {words}
      </span>{' '}
      {direction === 'same' ? 'as' : 'than'} in the {days === 1 ? 'day' : daysInWords(days)} before (
      {formatNumber(before)})
    </p>
  )
}

function NumbersToCome() {
  return (
    <div
      role="status"
      aria-label="Loading the numbers"
      className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4"
    >
      {['people', 'ai', 'all', 'views'].map((name) => (
        <Skeleton key={name} className="h-40" />
      ))}
    </div>
  )
}
