import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Timeseries } from '../api/client.ts'
import { formatNumber } from '../ui/format-number.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import { isToCome, shortIntervalName } from './interval-words.ts'
import { Legend, lineOf, pointShape } from './lines.tsx'

export interface OverTimeProps {
  now: Timeseries
  previous: Timeseries | undefined
  counted: 'visitors' | 'views'
}

/** One interval, and the one at the same place of the period before. */
export interface ChartPoint {
  start: string
  /** Null for what is still to come. */
  human: number | null
  ai: number | null
  beforeStart?: string
  humanBefore?: number
  aiBefore?: number
}

// More would run into each other.
const mostPointsWithShape = 40

/** People and AI clients as two lines; the arrow keys move from point to point. */
export default function VisitorsChart({ now, previous, counted }: OverTimeProps) {
  const points = now.timeseries.map((row, place): ChartPoint => {
    const then = previous?.timeseries[place]
    const isThere = !isToCome(row)
    return {
      start: row.start,
      human: isThere ? row[counted].human : null,
      ai: isThere ? row[counted].ai : null,
      ...(then && { beforeStart: then.start, humanBefore: then[counted].human, aiBefore: then[counted].ai }),
    }
  })
  const hasShapes = points.length <= mostPointsWithShape
  const words = counted === 'visitors' ? 'Unique visitors' : 'Views'
  const before = {
    strokeWidth: 1.5,
    strokeDasharray: '5 4',
    strokeOpacity: 0.75,
    dot: false,
    activeDot: false,
    isAnimationActive: false,
  }
  return (
    <figure className="flex flex-col gap-3">
      <Legend hasBefore={previous !== undefined} />
      <div className="h-72 min-w-0 overflow-hidden">
        <ResponsiveContainer width="100%" height="100%">
          <LineChart
            data={points}
            margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
            title={`${words} by ${now.interval}: people and AI clients`}
            desc="The arrow keys move from point to point. The same numbers are in the table."
          >
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis
              dataKey="start"
              tickFormatter={(start: string) => shortIntervalName(start, now.interval)}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              stroke="var(--line-strong)"
              tickLine={false}
              interval="equidistantPreserveStart"
              minTickGap={28}
            />
            <YAxis
              allowDecimals={false}
              tickFormatter={formatNumber}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
              stroke="var(--line-strong)"
              tickLine={false}
              axisLine={false}
              width={52}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ stroke: 'var(--line-strong)', strokeDasharray: '2 3' }}
              content={({ active, payload }) =>
                active && payload?.[0] ? (
                  <ChartTooltip point={payload[0].payload as ChartPoint} interval={now.interval} />
                ) : null
              }
            />
            {previous && <Line {...before} dataKey="humanBefore" stroke={lineOf.human.color} />}
            {previous && <Line {...before} dataKey="aiBefore" stroke={lineOf.ai.color} />}
            {(['human', 'ai'] as const).map((who) => (
              <Line
                key={who}
                dataKey={who}
                name={lineOf[who].name}
                stroke={lineOf[who].color}
                strokeWidth={2}
                isAnimationActive={false}
                dot={hasShapes ? ({ cx, cy, index }) => pointShape(who, { cx, cy, key: String(index) }) : false}
                activeDot={({ cx, cy, index }) => pointShape(who, { cx, cy, key: String(index), isLarge: true })}
              />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="sr-only">
        {words} by {now.interval}. Choose “Table” for the same numbers in rows.
      </figcaption>
    </figure>
  )
}
