import { formatNumber } from '../ui/format-number.ts'
import { type Interval, intervalName } from './interval-words.ts'
import { type LineName, lineOf, pointShape } from './lines.tsx'
import type { ChartPoint } from './VisitorsChart.tsx'

/** The numbers of a point, for the pointer, the keyboard and screen readers. */
export function ChartTooltip({ point, interval }: { point: ChartPoint; interval: Interval }) {
  const before = { human: point.humanBefore, ai: point.aiBefore }
  return (
    <div role="status" className="rounded-lg border bg-raised px-3 py-2 text-sm shadow-lg">
      <p className="font-medium">{intervalName(point.start, interval)} (UTC)</p>
      <ul>
        {(Object.keys(lineOf) as LineName[]).map((who) => (
          <li key={who} className="flex items-center gap-2">
            <svg aria-hidden="true" width="12" height="12">
              {pointShape(who, { cx: 6, cy: 6, key: who })}
            </svg>
            {lineOf[who].name}:{' '}
            <strong className="tabular-nums">{point[who] === null ? 'to come' : formatNumber(point[who])}</strong>
            {before[who] !== undefined && <span className="text-muted">before: {formatNumber(before[who])}</span>}
          </li>
        ))}
      </ul>
      {point.beforeStart && <p className="text-xs text-muted">Before: {intervalName(point.beforeStart, interval)}</p>}
    </div>
  )
}
