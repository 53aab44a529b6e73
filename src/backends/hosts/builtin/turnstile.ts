import { DocentError } from '#base/errors.ts'

/** Lets so many do a thing at a time; the others wait their turn, within reason. */
export interface Turnstile {
  /** Waits for a place. Call what it returns, once, to give it back. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createTurnstile({
  places,
  mostWaiting,
  waitMs,
}: {
  places: number
  mostWaiting: number
  waitMs: number
}): Turnstile {
  let taken = 0
  const waiting: (() => void)[] = []

  function place(): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = waiting.shift()
      // The place goes from hand to hand, so that nobody who comes just now gets in between.
      if (next) next()
      else taken--
    }
  }

  return {
    async enter(signal) {
      if (taken < places) {
        taken++
        return place()
      }
      if (waiting.length >= mostWaiting) throw tooBusy()
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(take), 1)
          settle()
          reject(tooBusy())
        }
        const deadline = setTimeout(leave, waitMs)
        const settle = () => {
          clearTimeout(deadline)
          signal.removeEventListener('abort', leave)
        }
        const take = () => {
          settle()
          resolve()
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(take)
      })
      return place()
    },
  }
}

function tooBusy(): DocentError {
  const message = 'Too many clones and pushes at a time. Try again in a moment.'
  return new DocentError('unavailable', 'server.git_busy', message, { retryAfterSeconds: 10 })
}
