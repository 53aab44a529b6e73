import { DocentError, toDocentError } from '#base/errors.ts'
import type { Config } from '#infra/config/settings.ts'
import { publish } from '../jobs.ts'
import type { SiteDeps } from '../site-deps.ts'
import { readHead } from './site-source.ts'
import * as store from './store.ts'

type Deps = Pick<SiteDeps, 'db' | 'clock' | 'queue' | 'secretBox' | 'fetch' | 'log'> & {
  config: SiteDeps['config'] & Pick<Config, 'sitePollMinutes'>
}

// As many as hosts that all take their time can answer before the next round.
const mostInRound = 200
const atOnce = 4
// A host that does not answer holds its place no longer than this; bringing a large repository may take longer.
const longestMs = 60_000
const longestWaitMinutes = 6 * 60

/** Looks at the branches of sites on other hosts whose time has come, and has those published that moved. */
export async function pollSites(deps: Deps, signal?: AbortSignal): Promise<void> {
  await store.settleAbandoned(deps.db)
  if (deps.config.sitePollMinutes === 0) return
  const due = await store.listToPoll(deps.db, { at: deps.clock.now(), most: mostInRound })
  const queue = due.values()
  const work = async () => {
    for (const row of queue) if (!signal?.aborted) await pollSite(deps, row, signal)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function pollSite(deps: Deps, row: store.PolledRow, signal: AbortSignal | undefined): Promise<void> {
  const { projectId } = row
  const limit = AbortSignal.any([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])])
  try {
    const head = await readHead(deps, { projectId, signal: limit })
    if (head.commit !== row.head || head.source !== row.source) {
      await deps.queue.send(publish, { projectId, reason: 'poll', deploymentId: null })
    }
    await record(deps, row, { failures: 0, leastSeconds: 0 })
  } catch (thrown) {
    const error = toDocentError(thrown)
    deps.log.info({ projectId, code: error.code, failures: row.pollFailures + 1 }, 'site.poll_failed')
    const leastSeconds = error instanceof DocentError ? (error.retryAfterSeconds ?? 0) : 0
    await record(deps, row, { failures: row.pollFailures + 1, leastSeconds })
  }
}

/** Those that fail are looked at ever less often; and never all at the same moment. */
async function record(
  { db, clock, config }: Deps,
  { projectId }: store.PolledRow,
  { failures, leastSeconds }: { failures: number; leastSeconds: number },
): Promise<void> {
  const minutes = Math.min(config.sitePollMinutes * 2 ** Math.min(failures, 20), longestWaitMinutes)
  const seconds = Math.max(Math.max(minutes, config.sitePollMinutes) * 60 * (0.9 + Math.random() * 0.2), leastSeconds)
  const nextPollAt = new Date(clock.now().getTime() + seconds * 1000)
  await store.recordPoll(db, projectId, { nextPollAt, pollFailures: failures })
}
