import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { OverTimeProps } from '../../charts/VisitorsChart.tsx'
import { Card, Skeleton } from '../../ui/Card.tsx'
import { classes } from '../../ui/classes.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { OverTimeTable } from './OverTimeTable.tsx'
import { periodBefore, queryOf } from './range.ts'
import { type Asked, type Counted, timeseriesQuery } from './visitor-queries.ts'

// The library that draws is larger than all the rest of the dashboard.
const VisitorsChart = lazy(() => import('../../charts/VisitorsChart.tsx'))

const countedOptions = [
  { value: 'visitors', label: 'Unique visitors' },
  { value: 'views', label: 'Views' },
]

/** Human and AI over time, as a chart or as a table of the same numbers. */
export function OverTime({ projectId, range }: Asked) {
  const before = periodBefore(range)
  const now = useQuery(timeseriesQuery({ projectId, range }))
  const [counted, setCounted] = useState<Counted>('visitors')
  const [form, setForm] = useState<'chart' | 'table'>('chart')
  const [isCompared, setCompared] = useState(false)
  const wantsBefore = isCompared && before !== null
  const then = useQuery({ ...timeseriesQuery({ projectId, range: before ?? range }), enabled: wantsBefore })
  const previous = wantsBefore && !then.isPlaceholderData ? then.data : undefined
  const interval = now.data?.interval ?? 'day'
  return (
    <Card
      title="Over time"
      description={`By ${interval}, in UTC${interval === 'week' ? '; weeks start on Monday' : ''}.${counted === 'visitors' ? ` A visitor who came in two of these ${interval}s is in both, so they do not add up to the number above.` : ''}`}
      actions={<FormSwitch form={form} onSwitch={setForm} />}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-4">
          <SelectField
            label="Count"
            isLabelHidden
            value={counted}
            onChange={({ target }) => setCounted(target.value as Counted)}
            options={countedOptions}
          />
          {before && (
            <Checkbox
              label="Show the period before"
              checked={isCompared}
              onChange={({ target }) => setCompared(target.checked)}
            />
          )}
        </div>
        <DownloadCsv
          name="over-time"
          operation="getTimeseries"
          input={{ path: { projectId }, query: { ...queryOf(range), interval } }}
          range={range}
        />
      </div>
      {now.isError && <ErrorNote error={now.error} onRetry={() => now.refetch()} />}
      {wantsBefore && then.isError && <ErrorNote error={then.error} onRetry={() => then.refetch()} />}
      {now.isPending && <Skeleton className="h-80" />}
      {now.data && form === 'chart' && <Chart now={now.data} previous={previous} counted={counted} />}
      {now.data && form === 'table' && <OverTimeTable now={now.data} previous={previous} counted={counted} />}
    </Card>
  )
}

function Chart({ now, previous, counted }: OverTimeProps) {
  if (now.timeseries.length === 0) return <p className="py-10 text-center text-sm text-muted">Nothing was read yet.</p>
  return (
    <Suspense fallback={<Skeleton className="h-80" />}>
      <VisitorsChart now={now} previous={previous} counted={counted} />
    </Suspense>
  )
}

function FormSwitch({ form, onSwitch }: { form: 'chart' | 'table'; onSwitch(form: 'chart' | 'table'): void }) {
  return (
    <fieldset className="flex rounded-lg border p-0.5">
      <legend className="sr-only">Shown as</legend>
      {(['chart', 'table'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={form === one}
          onClick={() => onSwitch(one)}
          className={classes(
            'rounded-md px-3 py-1 text-sm font-medium',
            form === one ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:text-ink',
          )}
        >
          {one === 'chart' ? 'Chart' : 'Table'}
        </button>
      ))}
    </fieldset>
  )
}
