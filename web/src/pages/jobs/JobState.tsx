import { useEffect, useState } from 'react'
import type { AgentJob } from '../../api/client.ts'
import { isEnd, type JobEvent } from './job-events.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { durationWords, wholeSeconds } from './step-words.ts'

/** How the job stands, and for how long. */
export function JobState({ job, events }: { job: AgentJob; events: JobEvent[] }) {
  const isActive = job.status === 'active'
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-2 text-sm text-muted">
      <StatusBadge status={job.status} />
      <span title="Since the last prompt was sent">
        <Elapsed events={events} isActive={isActive} />
      </span>
      <span aria-live="polite" className="sr-only">
        The job is {job.status}.
      </span>
    </p>
  )
}

/** From the prompt that is worked on, or was last, to now or to its end. */
function Elapsed({ events, isActive }: { events: JobEvent[]; isActive: boolean }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isActive])
  const asked = events.findLast(({ type }, index) => type === 'queued' && isStart(events, index))
  const end = events.findLast((event) => event.type === 'completed' || event.type === 'failed')
  if (!asked) return null
  if (isActive) {
    return <span className="tabular-nums">working for {wholeSeconds(now - Date.parse(asked.at))}</span>
  }
  const last = end && end.number > asked.number ? end : events.at(-1)!
  return <span className="tabular-nums">took {durationWords(Date.parse(last.at) - Date.parse(asked.at))}</span>
}

/** Whether the job was at rest before: a follow-up that waits its turn starts nothing. */
function isStart(events: JobEvent[], index: number): boolean {
  const before = events[index - 1]
  return before === undefined || isEnd(before)
}
