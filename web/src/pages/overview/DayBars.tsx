import type { Timeseries } from '../../api/client.ts'

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A month at a glance; the Visitors page has the chart with axes and the table. */
export function DayBars({ days }: { days: Timeseries['timeseries'] }) {
  // People and AI clients beside each other are more than all together where one came as both, so they are what is piled up.
  const heights = days.map(({ visitors }) => visitors.human + visitors.ai)
  const most = Math.max(1, ...heights)
  const busiest = days[heights.indexOf(Math.max(...heights))]
  const words = busiest
    ? `Visitors by day. The busiest was ${dayName.format(new Date(busiest.start))} with ${busiest.visitors.human} people and ${busiest.visitors.ai} AI clients.`
    : 'Visitors by day.'
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div>
      <div role="img" aria-label={words} className="flex h-24 items-end gap-[2px] border-b sm:gap-1">
        {days.map(({ start, visitors }) => (
          <div
            key={start}
            className="flex h-full min-w-0 flex-1 flex-col justify-end gap-px"
            title={`${dayName.format(new Date(start))}: ${visitors.human} people, ${visitors.ai} AI clients`}
          >
            <div className="rounded-t-[2px] bg-ai" style={{ height: `${(visitors.ai / most) * 100}%` }} />
            <div className="bg-human" style={{ height: `${(visitors.human / most) * 100}%` }} />
          </div>
        ))}
      </div>
      {first && last && (
        <p aria-hidden className="flex justify-between pt-1 text-xs text-muted">
          <span>{dayName.format(new Date(first.start))}</span>
          <span>at most {most} a day</span>
          <span>{dayName.format(new Date(last.start))}</span>
        </p>
      )}
    </div>
  )
}
