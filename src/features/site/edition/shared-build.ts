import type { OpenEdition } from './editions.ts'

type Progress = NonNullable<OpenEdition['onProgress']>

/** Work that several callers may wait for, and that goes on as long as one of them does. */
export interface SharedBuild<Result> {
  /** Rejects when the caller gives up. */
  join(caller: { signal?: AbortSignal | undefined; onProgress?: Progress | undefined }): Promise<Result>
  abort(reason: unknown): void
  /** However it ends. */
  settled: Promise<void>
}

export function startSharedBuild<Result>(
  build: (context: { signal: AbortSignal; onProgress: Progress }) => Promise<Result>,
  onEnd: () => void,
): SharedBuild<Result> {
  const controller = new AbortController()
  const listeners = new Set<Progress>()
  let waiting = 0
  const onProgress: Progress = (progress) => {
    for (const listen of listeners) listen(progress)
  }
  const result = build({ signal: controller.signal, onProgress }).finally(onEnd)
  const settled = result.then(
    () => {},
    () => {},
  )

  function abort(reason: unknown): void {
    // Nobody may join what is being given up.
    onEnd()
    controller.abort(reason)
  }

  return {
    abort,
    settled,
    async join({ signal, onProgress: listen }) {
      signal?.throwIfAborted()
      waiting++
      if (listen) listeners.add(listen)
      const given = Promise.withResolvers<never>()
      const leave = () => given.reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([result, given.promise])
      } finally {
        signal?.removeEventListener('abort', leave)
        if (listen) listeners.delete(listen)
        waiting--
        if (waiting === 0) abort(signal?.reason)
      }
    },
  }
}
