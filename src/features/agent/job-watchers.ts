import { EventEmitter, once } from 'node:events'

/** Lets those who wait for news of a job know at once; on other nodes they find it by looking. */
export interface JobWatchers {
  wake(jobId: string): void
  /** Resolves at the next news of the job, after `timeoutMs` or when the signal aborts; never rejects. */
  wait(jobId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
}

export function createJobWatchers(): JobWatchers {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    wake: (jobId) => void emitter.emit(jobId),
    async wait(jobId, { timeoutMs, signal }) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      await once(emitter, jobId, { signal: until }).catch(() => {})
    },
  }
}
