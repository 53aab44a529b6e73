import { useEffect, useRef, useState } from 'react'
import { addressOf } from '../../api/api.ts'

export interface JobEvent {
  number: number
  type: string
  at: string
  /** One line in the server's words. */
  text: string
  /** Of a `queued` event: what was asked. */
  prompt?: string
  tool?: string
  ok?: boolean
  model?: string
  step?: string
  introduced?: number
  older?: number
  code?: string
}

/** EventSource gives each kind to its own listener, and none to all. */
const eventTypes = [
  ...['queued', 'preparing', 'working', 'tool', 'check', 'note'],
  ...['publishing', 'retrying', 'completed', 'failed', 'archived'],
]
export const isEnd = ({ type }: JobEvent) => type === 'completed' || type === 'failed' || type === 'archived'

// The past comes in one burst: a page that draws each event of it alone would flicker.
const drawEveryMs = 40
const againAfterMs = 3_000

/** `connecting` also after a connection that broke; `over` when there is nothing more to come. */
export type StreamState = 'connecting' | 'open' | 'over'

/**
 * What happened to a job and what happens. A connection that breaks is made again by the browser, which says what it
 * has; one that the server refused, by us.
 */
export function useJobEvents(
  { projectId, id }: { projectId: string; id: string },
  { isActive, onEnd }: { isActive: boolean; onEnd(): void },
): { events: JobEvent[]; state: StreamState } {
  const [events, setEvents] = useState<JobEvent[]>([])
  const [state, setState] = useState<StreamState>('connecting')
  const [attempt, setAttempt] = useState(0)
  const whenEnded = useRef(onEnd)
  whenEnded.current = onEnd

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new connection.
  useEffect(() => {
    const source = new EventSource(addressOf('watchAgentJob', { path: { projectId, id } }))
    setState('connecting')
    let waiting: JobEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const draw = () => {
      timer = null
      const batch = waiting
      waiting = []
      setEvents((shown) => withoutKnown(shown, batch))
      if (batch.some(isEnd)) whenEnded.current()
    }
    const take = (message: MessageEvent<string>) => {
      const number = Number(message.lastEventId)
      waiting.push({ ...JSON.parse(message.data), number, type: message.type })
      timer ??= setTimeout(draw, drawEveryMs)
    }
    for (const type of eventTypes) source.addEventListener(type, take)
    source.onopen = () => setState('open')
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'over' : 'connecting')
    return () => {
      source.close()
      if (timer !== null) clearTimeout(timer)
    }
  }, [projectId, id, attempt])

  // A follow-up has woken the job, or the server could not serve us: from the start, as what is known is left out.
  useEffect(() => {
    if (state !== 'over' || !isActive) return
    const timer = setTimeout(() => setAttempt((count) => count + 1), attempt === 0 ? 0 : againAfterMs)
    return () => clearTimeout(timer)
  }, [state, isActive, attempt])

  return { events, state }
}

function withoutKnown(shown: JobEvent[], batch: JobEvent[]): JobEvent[] {
  const last = shown.at(-1)?.number ?? 0
  const fresh = batch.filter(({ number }) => number > last)
  return fresh.length === 0 ? shown : [...shown, ...fresh]
}
