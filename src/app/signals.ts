import type { Log } from '#base/log.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

// Ctrl-C under npm arrives twice, from the terminal and from npm. Only a signal this much later is a person's second.
const impatientAfterMs = 1_000

/**
 * Listens for SIGINT and SIGTERM from now on, and resolves at the first: a process calls this before it starts anything,
 * so that a signal during its start is followed by a clean stop too. A second signal ends the process at once, for the
 * person who does not want to wait.
 */
export function stopRequested(): Promise<void> {
  let firstAt: number | null = null
  return new Promise((resolve) => {
    const onSignal = () => {
      if (firstAt === null) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > impatientAfterMs) process.exit(130)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

/** An error that nobody caught leaves a state nobody thought of. What was acknowledged is on disk: end, to start afresh. */
export function endOnCrash(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'process.crashed')
    process.exit(1)
  })
}
