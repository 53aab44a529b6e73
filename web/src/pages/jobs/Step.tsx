import { Check, ChevronRight, LoaderCircle, MessageSquare, TriangleAlert, X } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { Time } from '../../ui/Time.tsx'
import type { JobEvent } from './job-events.ts'
import { durationWords, type StepLook, stepWords } from './step-words.ts'

const pictures: Record<Exclude<StepLook, 'doing'>, { Picture: typeof Check; colour: string }> = {
  good: { Picture: Check, colour: 'text-good' },
  bad: { Picture: X, colour: 'text-danger' },
  warn: { Picture: TriangleAlert, colour: 'text-warn' },
  asked: { Picture: MessageSquare, colour: 'text-accent' },
}

/** One step: words that anybody understands, and what was reported exactly when it is opened. */
export function Step({ event, since, isNow }: { event: JobEvent; since: number; isNow: boolean }) {
  const { look, words } = stepWords(event)
  const after = durationWords(Date.parse(event.at) - since)
  return (
    <li className="border-b border-line/60 last:border-b-0">
      {event.prompt !== undefined && <Prompt text={event.prompt} isFollowUp={event.number > 1} />}
      <details className="group">
        <summary className="flex list-none items-center gap-2.5 rounded-lg py-1.5 text-sm hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
            <Mark look={look} isNow={isNow} />
          </span>
          <span className="min-w-0 flex-1 break-words">{words}</span>
          <span className="shrink-0 text-xs text-muted tabular-nums" title="Time since the job was made">
            {after}
          </span>
          <ChevronRight
            aria-hidden
            className="size-3.5 shrink-0 text-muted transition-transform group-open:rotate-90"
          />
        </summary>
        <Details event={event} />
      </details>
    </li>
  )
}

function Mark({ look, isNow }: { look: StepLook; isNow: boolean }) {
  if (isNow) return <LoaderCircle className="size-4 animate-spin text-accent" />
  if (look === 'doing') return <span className="size-1.5 rounded-full bg-line-strong" />
  const { Picture, colour } = pictures[look]
  return <Picture className={classes('size-4', colour)} />
}

function Prompt({ text, isFollowUp }: { text: string; isFollowUp: boolean }) {
  return (
    <figure className="my-2 rounded-lg border-l-2 border-accent bg-accent-soft/60 px-3 py-2">
      <figcaption className="text-xs font-medium text-accent-strong">{isFollowUp ? 'Follow-up' : 'Asked'}</figcaption>
      <p className="max-h-40 overflow-y-auto text-sm break-words whitespace-pre-wrap">{text}</p>
    </figure>
  )
}

function Details({ event }: { event: JobEvent }) {
  const { type, tool, ok, introduced, older, code, model } = event
  const rows = [
    ['Reported', event.text],
    ['When', <Time key="at" at={event.at} />],
    ['Kind', tool === undefined ? type : `${type}: ${tool}`],
    ['Outcome', ok === undefined ? null : ok ? 'It worked' : 'It did not work; the agent was told why'],
    ['Model', model ?? null],
    ['Problems', introduced === undefined ? null : `${introduced} new, ${older ?? 0} that were there before`],
    ['Error code', code ?? null],
  ] as const
  return (
    <dl className="mb-2 ml-6.5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-lg bg-sunken px-3 py-2 text-xs">
      {rows.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
