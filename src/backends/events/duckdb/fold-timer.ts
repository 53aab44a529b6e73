import type { Log } from '#base/log.ts'

/** Says when the tail is folded without being asked to. */
export interface FoldTimer {
  /** Views were committed. */
  committed(): void
  /** Somebody counts views. */
  asked(): void
  /** Whether somebody did so lately. */
  isAsked(): boolean
  /** A fold took so long. */
  took(milliseconds: number): void
  stop(): void
}

interface FoldTimerInput {
  fold(): Promise<void>
  tailRows(): number
  log: Log
}

// Folding looks through all visitors there are, so the more there are, the rarer it is done: it may take this part of
// the time. Until then a view is counted from the tail.
const foldShare = 0.1
const soonestMs = 500
const latestMs = 60_000
// What made a fold fail, such as a full disk, is not over in a moment.
const afterFailureMs = 10_000
// While views keep coming, the cores are theirs, for this long at the most.
const quietMs = 1_000
const longestBusyMs = 30_000
// Past this, counting from the tail costs more than folding it.
const foldAtRows = 200_000
// While nobody counts, as when years of logs come in at night, the tail may grow on to this.
const mostUnaskedRows = 600_000
const askedMs = 5_000

export function createFoldTimer({ fold, tailRows, log }: FoldTimerInput): FoldTimer {
  let timer: NodeJS.Timeout | null = null
  let dueAt = 0
  let isFolding = false
  let hasFailed = false
  let isStopped = false
  let lastFoldMs = 0
  let lastCommitAt = Number.NEGATIVE_INFINITY
  let lastAskedAt = Number.NEGATIVE_INFINITY
  let busySince = 0

  /** Sets the timer, or sets it forward: a tail that got full does not wait for what was right for a short one. */
  function plan(): void {
    const rows = tailRows()
    if (isStopped || isFolding || rows === 0) return
    const waitMs = waitFor(rows)
    const wantedAt = performance.now() + waitMs
    if (timer) {
      if (dueAt <= wantedAt) return
      clearTimeout(timer)
    }
    dueAt = wantedAt
    timer = setTimeout(run, waitMs)
  }

  function waitFor(rows: number): number {
    if (hasFailed) return afterFailureMs
    if (isTooLong(rows)) return 0
    return Math.min(Math.max(lastFoldMs / foldShare, soonestMs), latestMs)
  }

  async function run(): Promise<void> {
    timer = null
    if (isBusy()) return plan()
    isFolding = true
    try {
      await fold()
      hasFailed = false
    } catch (err) {
      hasFailed = true
      log.warn({ err }, 'analytics.fold_failed')
    } finally {
      isFolding = false
      plan()
    }
  }

  function isAsked(): boolean {
    return lastAskedAt + askedMs > performance.now()
  }

  function isTooLong(rows: number): boolean {
    return rows > (isAsked() ? foldAtRows : mostUnaskedRows)
  }

  function isBusy(): boolean {
    const now = performance.now()
    return !isTooLong(tailRows()) && now - lastCommitAt < quietMs && now - busySince < longestBusyMs
  }

  // Of an earlier process there may be a tail.
  plan()
  return {
    committed() {
      const now = performance.now()
      if (now - lastCommitAt > quietMs) busySince = now
      lastCommitAt = now
      plan()
    },
    asked() {
      lastAskedAt = performance.now()
      plan()
    },
    isAsked,
    took(milliseconds) {
      lastFoldMs = milliseconds
    },
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
