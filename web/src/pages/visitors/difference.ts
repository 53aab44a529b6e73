import { formatNumber } from '../../ui/format-number.ts'

export interface Difference {
  direction: 'more' | 'fewer' | 'same'
  /** `12 more (+8 %)`. */
  words: string
}

/** How a number differs from the one before it: by how many, and by which part of what was. */
export function differenceOf(now: number, before: number): Difference {
  if (now === before) return { direction: 'same', words: 'As many' }
  const direction = now > before ? 'more' : 'fewer'
  const count = `${formatNumber(Math.abs(now - before))} ${direction}`
  // Of nothing there is no part.
  if (before === 0) return { direction, words: count }
  return { direction, words: `${count} (${percent(now, before)})` }
}

function percent(now: number, before: number): string {
  const part = ((now - before) / before) * 100
  const digits = Math.abs(part) < 10 ? 1 : 0
  const rounded = Number(part.toFixed(digits))
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${formatNumber(Math.abs(rounded))} %`
}
