import { createHash } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject, lockProject, type Project } from '#features/projects/service.ts'
import { emitEvent } from '#features/webhooks/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Db, Tx } from '#infra/db/schema.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import type { Queue } from '#infra/queue/queue.ts'
import type { JobWatchers } from './job-watchers.ts'
import { runAgentJob } from './jobs.ts'
import { type LimitSettings, readLimits } from './limits/limits.ts'
import type { AgentJob, JobStatus } from './schema.ts'
import * as store from './store.ts'

export interface AgentDeps {
  db: Db
  clock: Clock
  queue: Queue
  config: Pick<Config, 'baseUrl' | 'model'> & LimitSettings
  jobWatchers: JobWatchers
}

interface Asked {
  projectId: string
  prompt: string
  idempotencyKey: string | undefined
  by: Caller
}

const hourMs = 3_600_000
const idempotencyMs = 24 * hourMs
// The rest has its turn an hour later.
const mostArchivedAtOnce = 1000

/** Writes the job down with its first event and its place in the queue, all or nothing; a worker does the rest. */
export async function createJob(deps: AgentDeps, input: Asked): Promise<AgentJob> {
  const { prompt, by } = input
  const project = await getProject(deps, { id: input.projectId, by })
  const id = newId('job')
  const row = await deps.db.transaction().execute(async (tx) => {
    const earlier = await claimKey(deps, tx, { ...input, jobId: id, request: ['create', prompt] })
    if (earlier) return await getRow(tx, { id: earlier, projectId: project.id })
    await takeFromLimit(deps, tx, project)
    const job = { id, projectId: project.id }
    await store.insertJob(tx, {
      ...job,
      status: 'active',
      repository: project.source.repository,
      ref: project.source.ref,
      model: project.model,
      createdAt: deps.clock.now(),
    })
    await addMessage(deps, tx, { job, prompt })
    await store.insertEvent(tx, { jobId: id, type: 'queued', data: { text: 'Waiting for a worker', prompt } })
    await enqueue(deps, tx, job)
    await recordAudit(tx, { by, action: 'job.create', target: id, details: { project: project.id } })
    return await getRow(tx, job)
  })
  return toJob(row)
}

/** Throws `not_found` for an unknown job and, in the same words, for one of another project or organization. */
export async function getJob(deps: AgentDeps, input: { projectId: string; id: string; by: Caller }): Promise<AgentJob> {
  const project = await getProject(deps, { id: input.projectId, by: input.by })
  return toJob(await getRow(deps.db, { id: input.id, projectId: project.id }))
}

export async function listJobs(
  deps: AgentDeps,
  { projectId, status, page, by }: { projectId: string; status: JobStatus | undefined; page: Page; by: Caller },
): Promise<{ jobs: AgentJob[]; hasMore: boolean }> {
  const project = await getProject(deps, { id: projectId, by })
  const { rows, hasMore } = toPage(await store.listJobs(deps.db, { projectId: project.id, status, page }), page)
  return { jobs: rows.map(toJob), hasMore }
}

/** A follow-up. It works on the job's branch; while the job is active it waits its turn. */
export async function sendMessage(deps: AgentDeps, input: Asked & { id: string }): Promise<AgentJob> {
  const { prompt, by } = input
  const project = await getProject(deps, { id: input.projectId, by })
  const { id } = await getRow(deps.db, { id: input.id, projectId: project.id })
  const row = await deps.db.transaction().execute(async (tx) => {
    const earlier = await claimKey(deps, tx, { ...input, jobId: id, request: ['message', id, prompt] })
    if (earlier) return await getRow(tx, { id: earlier, projectId: project.id })
    await takeFromLimit(deps, tx, project)
    const job = await store.lockJob(tx, id)
    if (!job) throw jobNotFound()
    if (job.status === 'archived') {
      const message = 'The job is archived and takes no more messages. Create a new one.'
      throw new DocentError('conflict', 'job.archived', message)
    }
    await addMessage(deps, tx, { job, prompt })
    await recordAudit(tx, { by, action: 'job.message', target: id, details: { project: project.id } })
    await store.insertEvent(tx, { jobId: id, type: 'queued', data: { text: 'Follow-up waits for its turn', prompt } })
    if (job.status === 'active') return job
    await enqueue(deps, tx, job)
    return await store.updateJob(tx, id, { status: 'active', error: null, finishedAt: null })
  })
  deps.jobWatchers.wake(id)
  return toJob(row)
}

/** Whether a reader that has the events up to this one has them all. */
export async function hasAllEvents(
  { db }: Pick<AgentDeps, 'db'>,
  { projectId, id, after }: { projectId: string; id: string; after: number },
): Promise<boolean> {
  const { lastEvent } = await getRow(db, { id, projectId })
  return after >= lastEvent
}

/** Ends the job for good. A worker that is at it stops; what it has published stays. */
export async function archiveJob(
  deps: AgentDeps,
  input: { projectId: string; id: string; by: Caller },
): Promise<AgentJob> {
  const { by } = input
  const project = await getProject(deps, { id: input.projectId, by })
  const { id } = await getRow(deps.db, { id: input.id, projectId: project.id })
  const row = await deps.db.transaction().execute(async (tx) => {
    const archived = await archive(deps, tx, id)
    if (archived) await recordAudit(tx, { by, action: 'job.archive', target: id, details: { project: project.id } })
    return archived ?? (await getRow(tx, { id, projectId: project.id }))
  })
  deps.jobWatchers.wake(id)
  return toJob(row)
}

/** Archives what was finished long ago and forgets old idempotency keys. */
export async function pruneJobs(deps: AgentDeps, { retentionDays }: { retentionDays: number }): Promise<number> {
  const now = deps.clock.now().getTime()
  await store.deleteIdempotencyKeys(deps.db, new Date(now - idempotencyMs))
  const before = new Date(now - retentionDays * 24 * hourMs)
  const rows = await store.listFinishedJobs(deps.db, { before, limit: mostArchivedAtOnce })
  for (const { id } of rows) await deps.db.transaction().execute((tx) => archive(deps, tx, id))
  return rows.length
}

/** Puts the job into the queue. Whatever entry there was before it is void from then on. */
export async function enqueue(
  { queue }: Pick<AgentDeps, 'queue'>,
  tx: Tx,
  job: Pick<store.JobRow, 'id' | 'projectId'>,
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  const { ticket, turn } = await store.takeTurn(tx, job)
  const options = { tx, priority: -turn, ...(delaySeconds === undefined ? {} : { delaySeconds }) }
  await queue.send(runAgentJob, { jobId: job.id, ticket }, options)
}

async function archive(deps: AgentDeps, tx: Tx, id: string): Promise<store.JobRow | null> {
  const job = await store.lockJob(tx, id)
  if (!job || job.status === 'archived') return null
  await store.cancelMessages(tx, id)
  const row = await store.updateJob(tx, id, { status: 'archived', archivedAt: deps.clock.now() })
  await store.insertEvent(tx, { jobId: id, type: 'archived', data: { text: 'Archived' } })
  await emitEvent(deps, tx, { projectId: job.projectId, event: 'job.archived', data: toJob(row) })
  return row
}

async function addMessage(
  { clock }: Pick<AgentDeps, 'clock'>,
  tx: Tx,
  { job, prompt }: { job: Pick<store.JobRow, 'id' | 'projectId'>; prompt: string },
): Promise<void> {
  const id = newId('msg')
  await store.insertMessage(tx, { id, jobId: job.id, projectId: job.projectId, prompt, createdAt: clock.now() })
}

async function takeFromLimit({ clock, config }: AgentDeps, tx: Tx, project: Project): Promise<void> {
  if (!(await lockProject(tx, project.id))) throw jobNotFound()
  const now = clock.now().getTime()
  const { jobsPerHour: limit } = await readLimits({ db: tx, config }, project.id)
  const { count, oldest } = await store.countMessages(tx, { projectId: project.id, since: new Date(now - hourMs) })
  if (count < limit) return
  const seconds = Math.max(1, Math.ceil((oldest!.getTime() + hourMs - now) / 1000))
  const message = `This project asked for ${limit} jobs and follow-ups within an hour, which is the limit. Try again in ${seconds} s, or raise ${limit < config.agentJobsPerHour ? 'the project’s limit' : 'DOCENT_AGENT_JOBS_PER_HOUR'}.`
  throw new DocentError('rate_limited', 'job.too_many', message, { retryAfterSeconds: seconds })
}

/** The job that an earlier request with this key made, or null when there was none. */
async function claimKey(
  { clock }: Pick<AgentDeps, 'clock'>,
  tx: Tx,
  { projectId, idempotencyKey: key, jobId, request }: Asked & { jobId: string; request: string[] },
): Promise<string | null> {
  if (key === undefined) return null
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const now = clock.now()
  const validAfter = new Date(now.getTime() - idempotencyMs)
  const earlier = await store.claimIdempotencyKey(tx, { projectId, key, requestHash, jobId, now, validAfter })
  if (earlier === null || earlier.requestHash === requestHash) return earlier?.jobId ?? null
  const message = 'This Idempotency-Key was used for another request in the last 24 hours. Send a new key with it.'
  throw new DocentError('conflict', 'job.idempotency_conflict', message)
}

/** Throws `not_found`. */
export async function getRow(db: Db | Tx, { id, projectId }: { id: string; projectId: string }): Promise<store.JobRow> {
  const row = isId('job', id) ? await store.findJob(db, { id, projectId }) : undefined
  if (!row) throw jobNotFound()
  return row
}

export function toJob(row: store.JobRow): AgentJob {
  const status = row.status as JobStatus
  return {
    id: row.id,
    status,
    source: { repository: row.repository, ref: row.ref ?? 'HEAD' },
    model: row.model,
    prLink: status === 'active' ? null : row.prLink,
    createdAt: row.createdAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
    prompt: row.prompt,
    branch: row.branch,
    title: row.title,
    summary: row.summary,
    error: row.error,
    usage: { steps: row.steps, inputTokens: row.inputTokens, outputTokens: row.outputTokens },
  }
}

function jobNotFound(): DocentError {
  return new DocentError('not_found', 'job.not_found', 'There is no such job.')
}
