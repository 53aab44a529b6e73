import { useRef } from 'react'

/**
 * A name for one submission of a text: the same until the text is another or `renew` was called. Two clicks, and a
 * second try after an answer that was lost, then ask for the same thing.
 */
export function useSubmissionKey(): { keyFor(text: string): string; renew(): void } {
  const last = useRef<{ text: string; key: string } | null>(null)
  return {
    keyFor(text) {
      if (last.current?.text !== text) last.current = { text, key: newKey() }
      return last.current.key
    },
    renew() {
      last.current = null
    },
  }
}

/** By hand, as `randomUUID` is closed to pages over plain HTTP from another machine. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `dashboard-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
