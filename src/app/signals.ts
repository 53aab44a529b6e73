import type { Log } from '#base/log.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

// Ctrl-C under npm arrives twice, from the terminal and from npm. Only a signal this much later is a person's second.
const impatientAfterMs = 1_000

/**
 * Waits for SIGINT or SIGTERM, then stops cleanly; a second signal ends the process at once, for the person who does
 * not want to wait. Resolves with the exit code.
 */
export async function untilSignal({ log, stop }: { log: Log; stop(): Promise<void> }): Promise<number> {
  process.on('uncaughtException', (err) => {
    // After this the process is in a state nobody thought of. What was acknowledged is on disk; start afresh.
    log.fatal({ err }, 'process.crashed')
    process.exit(1)
  })
  let firstAt: number | null = null
  await new Promise<void>((resolve) => {
    const onSignal = () => {
      if (firstAt === null) {
        firstAt = performance.now()
        resolve()
      } else if (performance.now() - firstAt > impatientAfterMs) process.exit(130)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
  await stop()
  return 0
}
