import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, SkeletonLines } from '../../ui/Card.tsx'
import type { JobEvent, StreamState } from './job-events.ts'
import { Step } from './Step.tsx'

/** What the agent did and does, as it happens. */
export function Steps({ events, state, isActive }: { events: JobEvent[]; state: StreamState; isActive: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  // Whoever scrolled up to read something stays there.
  const isAtEnd = useRef(true)
  const [hasNewer, setNewer] = useState(false)
  const [isCut, setCut] = useState(false)
  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
    isAtEnd.current = true
    setNewer(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is a new event.
  useLayoutEffect(() => {
    if (!isActive) return
    if (isAtEnd.current) toEnd()
    else setNewer(true)
  }, [events.length])
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
    setCut(!isAtEnd.current)
    if (isAtEnd.current) setNewer(false)
  }
  const hasList = events.length > 0
  // Steps that are opened and closed change what is below, too.
  useEffect(() => {
    const list = box.current?.firstElementChild
    if (!hasList || !list) return
    const observer = new ResizeObserver(() => {
      const { scrollTop, scrollHeight, clientHeight } = box.current!
      setCut(scrollHeight - scrollTop - clientHeight >= 24)
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [hasList])
  const first = events[0]
  return (
    <Card
      title="Steps"
      description="Open a step to see its details."
      actions={isActive && <Connection state={state} />}
    >
      {first ? (
        <div className="relative -mx-2">
          <div
            ref={box}
            onScroll={onScroll}
            role="log"
            aria-label="Steps of this job"
            aria-live={isActive ? 'polite' : 'off'}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
            tabIndex={0}
            className="max-h-[30rem] overflow-y-auto overscroll-contain px-2"
          >
            <ol className="flex flex-col">
              {events.map((event, index) => (
                <Step
                  key={event.number}
                  event={event}
                  since={Date.parse(first.at)}
                  isNow={isActive && index === events.length - 1}
                />
              ))}
            </ol>
          </div>
          {isCut && (
            <div
              aria-hidden
              className="pointer-events-none absolute inset-x-0 bottom-0 h-10 bg-linear-to-t from-surface to-transparent"
            />
          )}
          {hasNewer && (
            <Button
              className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-md"
              icon={<ArrowDown aria-hidden className="size-4" />}
              onClick={toEnd}
            >
              Newer steps
            </Button>
          )}
        </div>
      ) : (
        <SkeletonLines count={4} label="Loading the steps" />
      )}
    </Card>
  )
}

function Connection({ state }: { state: StreamState }) {
  return (
    <span role="status">
      {state === 'open' ? (
        <Badge tone="accent">
          <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-accent" />
          Live
        </Badge>
      ) : (
        <Badge tone="warn">Connecting to the server</Badge>
      )}
    </span>
  )
}
