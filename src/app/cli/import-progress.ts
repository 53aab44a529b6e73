import type { LogSource } from '#features/analytics/imports/log-source.ts'

export interface ImportProgress {
  /** Before each log. */
  start(source: LogSource): void
  show(lines: number): void
  /** Takes the bar away, so that something else can be said. */
  clear(): void
}

interface Screen {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

// With it, a line about ten million lines fits into 80 columns.
const barWidth = 16
const terminalEveryMs = 100
const otherwiseEveryMs = 10_000

/** A bar that is written over at a terminal; elsewhere a line every ten seconds, so that a log of it stays short. */
export function createImportProgress(screen: Screen, now: () => number = () => performance.now()): ImportProgress {
  const isTerminal = screen.isTTY === true
  let source: LogSource | null = null
  let startedAt = 0
  let shownAt = 0
  let isShown = false

  function describe(lines: number): string {
    const seconds = Math.max(0.001, (now() - startedAt) / 1000)
    const speed = `${Math.round(lines / seconds).toLocaleString('en')} lines/s`
    const shown = `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`
    const read = source!.bytesRead()
    const { size } = source!
    if (size === null || size === 0) return `${shown}, ${speed}`
    const share = Math.min(1, read / size)
    const left = share > 0 ? `, ${durationOf((seconds / share) * (1 - share))} left` : ''
    const full = Math.round(share * barWidth)
    const bar = `[${'█'.repeat(full)}${'░'.repeat(barWidth - full)}]`
    return `${bar} ${Math.floor(share * 100)} %, ${shown}, ${speed}${left}`
  }

  return {
    start(next) {
      source = next
      startedAt = now()
      shownAt = isTerminal ? 0 : startedAt
    },
    show(lines) {
      if (now() - shownAt < (isTerminal ? terminalEveryMs : otherwiseEveryMs)) return
      shownAt = now()
      isShown = isTerminal
      const text = describe(lines)
      // A line that wraps could not be written over.
      screen.write(isTerminal ? `\r\x1b[K${text.slice(0, (screen.columns ?? 80) - 1)}` : `${text}\n`)
    },
    clear() {
      if (isShown) screen.write('\r\x1b[K')
      isShown = false
    },
  }
}

export function durationOf(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
