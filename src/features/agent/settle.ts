import { type DocentError, toDocentError } from '#base/errors.ts'
import { emitEvent } from '#features/webhooks/service.ts'
import type { Tx } from '#infra/db/schema.ts'
import type { AgentOutcome } from './agent-run.ts'
import { whileHeld } from './hold.ts'
import { mostAttempts, type Run, type RunDeps } from './run.ts'
import { enqueue, toJob } from './service.ts'
import * as store from './store.ts'

const longestRetrySeconds = 900

/** The prompt is done: writes down what came of it and tells whoever wants to know. */
export async function complete(
  run: Run,
  { outcome, pullRequest }: { outcome: AgentOutcome; pullRequest: { number: number; url: string } | null },
): Promise<void> {
  const { deps, message, hold, reporter } = run
  await reporter.flush()
  await whileHeld(deps.db, hold, async (tx, job) => {
    await store.updateMessage(tx, message.id, { state: 'done', title: outcome.title, summary: outcome.summary })
    const row = await store.updateJob(tx, job.id, {
      title: outcome.title,
      summary: outcome.summary,
      error: null,
      ...(pullRequest ? { pullRequest: pullRequest.number, prLink: pullRequest.url } : {}),
    })
    const text = pullRequest ? `Pull request ${pullRequest.url}` : 'Nothing to change'
    if (await goOn(deps, tx, { job: row, text })) return
    const done = await store.updateJob(tx, job.id, { status: 'completed', finishedAt: deps.clock.now() })
    await store.insertEvent(tx, { jobId: job.id, type: 'completed', data: { text, prLink: row.prLink } })
    await emitEvent(deps, tx, { projectId: job.projectId, event: 'job.completed', data: toJob(done) })
  })
}

/** The prompt has failed for good. */
export async function fail(
  deps: RunDeps,
  tx: Tx,
  { job, message, error }: { job: store.JobRow; message: store.MessageRow; error: { code: string; message: string } },
): Promise<void> {
  await store.updateMessage(tx, message.id, { state: 'failed' })
  const row = await store.updateJob(tx, job.id, { error })
  if (await goOn(deps, tx, { job: row, text: error.message })) return
  const failed = await store.updateJob(tx, job.id, { status: 'failed', finishedAt: deps.clock.now() })
  await store.insertEvent(tx, { jobId: job.id, type: 'failed', data: { text: error.message, code: error.code } })
  await emitEvent(deps, tx, { projectId: job.projectId, event: 'job.failed', data: toJob(failed) })
}

/** Puts the job back into the queue if a follow-up waits. */
async function goOn(deps: RunDeps, tx: Tx, { job, text }: { job: store.JobRow; text: string }): Promise<boolean> {
  if (!(await store.findNextMessage(tx, job.id))) return false
  await store.insertEvent(tx, { jobId: job.id, type: 'note', data: { text } })
  await enqueue(deps, tx, job)
  return true
}

/** Writes down what became of a run that threw. */
export async function settle(
  { deps, job, message, hold }: Run,
  { thrown, isGone, isStopping }: { thrown: unknown; isGone: boolean; isStopping: boolean },
): Promise<void> {
  const error = toDocentError(thrown)
  // Whoever has the job now, or archived it, writes down what becomes of it.
  if (isGone || error.code === 'job.lost') return
  const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited'
  const isRetried = isStopping || (isPassing && message.attempts < mostAttempts)
  logEnd(deps, { jobId: job.id, attempt: message.attempts, thrown, isStopping })
  await deps.db.transaction().execute(async (tx) => {
    const held = await store.lockHeldJob(tx, hold)
    if (!held) return
    if (!isRetried) {
      await fail(deps, tx, {
        job: held,
        message,
        error: { code: error.code, message: publicWords(error, deps.config) },
      })
      return
    }
    const waitSeconds = Math.min(longestRetrySeconds, Math.max(1, error.retryAfterSeconds ?? 2 ** message.attempts))
    // A worker that was told to stop is no fault of the job.
    const attempts = isStopping ? message.attempts - 1 : message.attempts
    await store.updateMessage(tx, message.id, { state: 'waiting', attempts })
    const text = isStopping
      ? 'This worker stops; another goes on'
      : `${publicWords(error, deps.config)} Trying again in ${waitSeconds} s.`
    await store.insertEvent(tx, { jobId: job.id, type: 'retrying', data: { text } })
    await enqueue(deps, tx, held, isStopping ? {} : { delaySeconds: waitSeconds })
  })
}

/** What whoever asked for the job may know: git's own words name folders of this machine. The log has all of it. */
function publicWords({ kind, message }: DocentError, { data, repositories }: RunDeps['config']): string {
  if (kind === 'internal') return 'Something went wrong on our side; the server’s log says what.'
  return message.replaceAll(repositories, '…').replaceAll(data, '…')
}

/** Only what nobody foresaw is an error of ours; a prompt that cannot be carried out is daily business. */
function logEnd(
  { log }: Pick<RunDeps, 'log'>,
  { jobId, attempt, thrown, isStopping }: { jobId: string; attempt: number; thrown: unknown; isStopping: boolean },
): void {
  const { kind, code } = toDocentError(thrown)
  if (isStopping) log.info({ jobId }, 'job.handed_back')
  else if (kind === 'internal') log.error({ jobId, attempt, err: thrown }, 'job.run_failed')
  else if (kind === 'unavailable' || kind === 'rate_limited')
    log.warn({ jobId, attempt, err: thrown }, 'job.run_failed')
  else log.info({ jobId, attempt, code }, 'job.run_failed')
}
