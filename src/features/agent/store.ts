import { type Insertable, type Selectable, sql } from 'kysely'
import type { AgentEventsTable, AgentJobsTable, AgentMessagesTable, Db, Tx } from '#infra/db/schema.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import type { Page } from '#infra/http/schema.ts'
import type { AgentStep } from './agent-run.ts'

/** A job, with the prompt that it was created for. */
export type JobRow = Selectable<AgentJobsTable> & { prompt: string }
export type MessageRow = Selectable<AgentMessagesTable>
export type EventRow = Selectable<AgentEventsTable>

/** A worker's hold on a job. Everything it writes is refused once another worker has the job, or nobody may. */
export interface Hold {
  jobId: string
  claim: number
}

const firstPrompt = sql<string>`(
  select prompt from agent_messages where agent_messages.job_id = agent_jobs.id and number = 1
)`.as('prompt')

export async function insertJob(tx: Tx, row: Insertable<AgentJobsTable>): Promise<void> {
  await tx.insertInto('agentJobs').values(row).execute()
}

export async function findJob(
  db: Db | Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<JobRow | undefined> {
  return await db
    .selectFrom('agentJobs')
    .selectAll()
    .select(firstPrompt)
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .executeTakeFirst()
}

/** The same, and nobody else changes it before this transaction ends. */
export async function lockJob(tx: Tx, id: string): Promise<JobRow | undefined> {
  return await tx
    .selectFrom('agentJobs')
    .selectAll()
    .select(firstPrompt)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function listJobs(
  db: Db,
  { projectId, status, page }: { projectId: string; status: string | undefined; page: Page },
): Promise<JobRow[]> {
  return await db
    .selectFrom('agentJobs')
    .selectAll()
    .select(firstPrompt)
    .where('projectId', '=', projectId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

export async function updateJob(
  tx: Tx,
  id: string,
  change: Partial<
    Pick<
      JobRow,
      'status' | 'ref' | 'branch' | 'pullRequest' | 'prLink' | 'title' | 'summary' | 'finishedAt' | 'archivedAt'
    >
  > & { error?: { code: string; message: string } | null },
): Promise<JobRow> {
  const { error, ...rest } = change
  return await tx
    .updateTable('agentJobs')
    .set({ ...rest, ...(error === undefined ? {} : { error: error && JSON.stringify(error) }) })
    .where('id', '=', id)
    .returningAll()
    .returning(firstPrompt)
    .executeTakeFirstOrThrow()
}

/**
 * Gives the job its place in the queue: a round robin between projects. A project's first unfinished job stands beside
 * the lowest that is there, each further one a round later; so fifty jobs of one project keep nobody else waiting.
 */
export async function takeTurn(
  tx: Tx,
  job: Pick<JobRow, 'id' | 'projectId'>,
): Promise<{ ticket: number; turn: number }> {
  const others = tx.selectFrom('agentJobs').where('status', '=', 'active').where('id', '!=', job.id)
  return await tx
    .updateTable('agentJobs')
    .set({
      ticket: sql`ticket + 1`,
      turn: sql`coalesce(
        ${others.where('projectId', '=', job.projectId).select(sql`max(turn) + 1`.as('turn'))},
        ${others.select(sql`min(turn)`.as('turn'))},
        1)`,
    })
    .where('id', '=', job.id)
    .returning(['ticket', 'turn'])
    .executeTakeFirstOrThrow()
}

export async function insertMessage(
  tx: Tx,
  row: Pick<MessageRow, 'id' | 'jobId' | 'projectId' | 'prompt'> & { createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('agentMessages')
    .values({
      ...row,
      state: 'waiting',
      number: tx
        .selectFrom('agentMessages')
        .where('jobId', '=', row.jobId)
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('number')),
    } as Insertable<AgentMessagesTable>)
    .execute()
}

/** How many prompts the project was sent since then, and when the oldest of them came. */
export async function countMessages(
  tx: Tx,
  { projectId, since }: { projectId: string; since: Date },
): Promise<{ count: number; oldest: Date | null }> {
  const row = await tx
    .selectFrom('agentMessages')
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.min('createdAt').as('oldest')])
    .where('projectId', '=', projectId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), oldest: row.oldest as Date | null }
}

/** Of the prompts that are not done, the one whose turn it is. */
export async function findNextMessage(db: Db | Tx, jobId: string): Promise<MessageRow | undefined> {
  return await db
    .selectFrom('agentMessages')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('state', 'in', ['running', 'waiting'])
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
}

export async function listEarlierMessages(db: Db, message: MessageRow): Promise<MessageRow[]> {
  return await db
    .selectFrom('agentMessages')
    .selectAll()
    .where('jobId', '=', message.jobId)
    .where('number', '<', message.number)
    .orderBy('number')
    .execute()
}

/** The prompts that led to a commit, oldest first. */
export async function listCommits(
  db: Db,
  jobId: string,
): Promise<{ branch: string | null; baseCommit: string | null; commit: string }[]> {
  return await db
    .selectFrom('agentMessages')
    .select(['branch', 'baseCommit', 'commit'])
    .where('jobId', '=', jobId)
    .where('commit', 'is not', null)
    .orderBy('number')
    .$narrowType<{ commit: string }>()
    .execute()
}

export async function updateMessage(
  tx: Tx,
  id: string,
  change: Partial<
    Pick<MessageRow, 'state' | 'attempts' | 'branch' | 'baseCommit' | 'docsPath' | 'commit' | 'title' | 'summary'>
  >,
): Promise<void> {
  await tx.updateTable('agentMessages').set(change).where('id', '=', id).execute()
}

/** Nothing that waits or runs is to be done any more. */
export async function cancelMessages(tx: Tx, jobId: string): Promise<void> {
  await tx
    .updateTable('agentMessages')
    .set({ state: 'failed' })
    .where('jobId', '=', jobId)
    .where('state', 'in', ['running', 'waiting'])
    .execute()
}

/** Takes the job for this worker and lets go of whoever had it. */
export async function claimJob(tx: Tx, id: string): Promise<Hold> {
  const { claim } = await tx
    .updateTable('agentJobs')
    .set({ claim: sql`claim + 1` })
    .where('id', '=', id)
    .returning('claim')
    .executeTakeFirstOrThrow()
  return { jobId: id, claim }
}

export async function isHeld(db: Db | Tx, { jobId, claim }: Hold): Promise<boolean> {
  const row = await db
    .selectFrom('agentJobs')
    .select('id')
    .where('id', '=', jobId)
    .where('claim', '=', claim)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/** The job, locked until the transaction ends, if this worker still has it. */
export async function lockHeldJob(tx: Tx, { jobId, claim }: Hold): Promise<JobRow | undefined> {
  const job = await lockJob(tx, jobId)
  return job?.claim === claim && job.status === 'active' ? job : undefined
}

export async function insertStep(
  tx: Tx,
  { message, step, changes }: { message: MessageRow; step: AgentStep; changes: FileChange[] },
): Promise<void> {
  await tx
    .insertInto('agentSteps')
    .values({
      messageId: message.id,
      number: sql`(select coalesce(max(number), 0) + 1 from agent_steps where message_id = ${message.id})` as never,
      data: JSON.stringify(step),
      changes: JSON.stringify(
        changes.map(({ path, content }) => ({ path, content: content === null ? null : content.toString('base64') })),
      ),
    })
    .execute()
  await tx
    .updateTable('agentJobs')
    .set({
      steps: sql`steps + 1`,
      inputTokens: sql`input_tokens + ${Math.round(step.usage.inputTokens)}`,
      outputTokens: sql`output_tokens + ${Math.round(step.usage.outputTokens)}`,
    })
    .where('id', '=', message.jobId)
    .execute()
}

export async function listSteps(db: Db, messageId: string): Promise<{ step: AgentStep; changes: FileChange[] }[]> {
  const rows = await db
    .selectFrom('agentSteps')
    .select(['data', 'changes'])
    .where('messageId', '=', messageId)
    .orderBy('number')
    .execute()
  return rows.map(({ data, changes }) => ({
    step: data as AgentStep,
    changes: changes.map(({ path, content }) => ({
      path,
      content: content === null ? null : Buffer.from(content, 'base64'),
    })),
  }))
}

/** The work starts over: what was stored of it belongs to another commit. */
export async function deleteSteps(tx: Tx, messageId: string): Promise<void> {
  await tx.deleteFrom('agentSteps').where('messageId', '=', messageId).execute()
}

export async function insertEvent(
  tx: Tx,
  { jobId, type, data }: { jobId: string; type: string; data: Record<string, unknown> },
): Promise<void> {
  const { lastEvent } = await tx
    .updateTable('agentJobs')
    .set({ lastEvent: sql`last_event + 1` })
    .where('id', '=', jobId)
    .returning('lastEvent')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('agentEvents')
    .values({ jobId, number: lastEvent, type, data: JSON.stringify(data) })
    .execute()
}

export async function listEvents(
  db: Db,
  { jobId, after, limit }: { jobId: string; after: number; limit: number },
): Promise<EventRow[]> {
  return await db
    .selectFrom('agentEvents')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/**
 * Writes down that this request made that job. Returns null when it did, or what an earlier request with the same key
 * wrote down; two at once wait for each other here.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  entry: { projectId: string; key: string; requestHash: string; jobId: string; now: Date; validAfter: Date },
): Promise<{ requestHash: string; jobId: string } | null> {
  const { projectId, key, requestHash, jobId, now, validAfter } = entry
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({ projectId, key, requestHash, jobId, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['projectId', 'key'])
        .doUpdateSet({ requestHash, jobId, createdAt: now })
        // One that is too old is as good as none.
        .where('idempotencyKeys.createdAt', '<=', validAfter),
    )
    .returning('jobId')
    .executeTakeFirst()
  if (inserted) return null
  return await tx
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'jobId'])
    .where('projectId', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

export async function deleteIdempotencyKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotencyKeys').where('createdAt', '<=', before).execute()
}

export async function listFinishedJobs(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<Pick<JobRow, 'id'>[]> {
  return await db
    .selectFrom('agentJobs')
    .select('id')
    .where('archivedAt', 'is', null)
    .where('finishedAt', '<', before)
    .limit(limit)
    .execute()
}
