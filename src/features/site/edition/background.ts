import type { Log } from '#base/log.ts'

export interface BackgroundWork {
  projectId: string
  /** What it takes: our own files, or a walk through a repository's history, which takes longest. */
  lane: 'files' | 'history'
  /** Logged when it fails. */
  event: string
}

/** Work that nobody waits for, one piece after the other: readers need the machine more. */
export interface Background {
  add(work: BackgroundWork, run: () => Promise<void>): void
  /** When everything that was added is done. */
  settled(): Promise<void>
}

export function createBackground({
  log,
  isWanted,
}: {
  log: Log
  /** Asked before each piece, and before a failure is told. */
  isWanted(projectId: string): boolean
}): Background {
  const lanes = { files: Promise.resolve(), history: Promise.resolve() }
  return {
    add({ projectId, lane, event }, run) {
      lanes[lane] = lanes[lane].then(async () => {
        if (!isWanted(projectId)) return
        await run().catch((err: unknown) => {
          if (isWanted(projectId)) log.warn({ err, projectId }, event)
        })
      })
    },
    async settled() {
      await Promise.all(Object.values(lanes))
    },
  }
}
