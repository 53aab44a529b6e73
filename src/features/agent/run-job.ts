import { DocentError, toDocentError } from '#base/errors.ts'
import { builtinModel } from '#base/model-id.ts'
import { type CheckReport, checkDocs, introducedProblems, type PageCache } from '#features/content/service.ts'
import { openSource, type RepositoriesDeps } from '#features/repositories/service.ts'
import { emitEvent } from '#features/webhooks/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Tx } from '#infra/db/schema.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import { openGitTree } from '#infra/files/git-tree.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import type { JobContext } from '#infra/queue/queue.ts'
import type { Agent, AgentOutcome, AgentRun, CheckResult, WorkingTree } from './agent-run.ts'
import { readGuidance } from './guidance.ts'
import { watchHold, whileHeld } from './hold.ts'
import { publish } from './publish.ts'
import { commitMessage, pullRequestBody, pullRequestTitle } from './pull-request-text.ts'
import { createReporter, type Reporter } from './reporter.ts'
import { type AgentDeps, enqueue, toJob } from './service.ts'
import { findStart, type Start } from './start.ts'
import * as store from './store.ts'
import { createWorkingTree } from './working-tree.ts'

export interface RunDeps extends Omit<AgentDeps, 'config'>, Omit<RepositoriesDeps, 'config'> {
  config: Config
  /** What the checks know of files they have seen, over all jobs of this process. */
  pageCache: PageCache
  agents: { editor: Agent; loop: Agent }
}

/** One worker's time with one prompt of a job. */
interface Run {
  deps: RunDeps
  job: store.JobRow
  message: store.MessageRow
  hold: store.Hold
  reporter: Reporter
  signal: AbortSignal
}

/** Each is a worker that died or a passing fault of something we need. */
const mostAttempts = 3
const longestRetrySeconds = 900
const mostPatchBytes = 1_000_000

/**
 * Takes a job whose turn it is and works on its next prompt, from wherever an earlier worker left it. Returns when the
 * prompt is done, has failed or was put back; throws only when not even that could be written down.
 */
export async function runJob(
  deps: RunDeps,
  { data, signal, stopping }: JobContext<{ jobId: string; ticket: number }>,
): Promise<void> {
  const taken = await take(deps, data)
  if (!taken) return
  const reporter = createReporter(deps, taken.hold)
  using watch = watchHold(deps, taken.hold)
  const run: Run = { deps, ...taken, reporter, signal: AbortSignal.any([signal, stopping, watch.lost]) }
  try {
    await work(run)
  } catch (thrown) {
    await reporter.flush()
    const isGone = watch.lost.aborted || signal.aborted
    await settle(run, { thrown, isGone, isStopping: stopping.aborted })
  } finally {
    await reporter.flush()
    deps.jobWatchers.wake(taken.job.id)
  }
}

async function take(
  deps: RunDeps,
  { jobId, ticket }: { jobId: string; ticket: number },
): Promise<Pick<Run, 'job' | 'message' | 'hold'> | null> {
  return await deps.db.transaction().execute(async (tx) => {
    const job = await store.lockJob(tx, jobId)
    if (job?.status !== 'active' || job.ticket !== ticket) return null
    const message = await store.findNextMessage(tx, jobId)
    if (!message) return null
    if (message.attempts >= mostAttempts) {
      const error = {
        code: 'job.worker_died',
        message: `${mostAttempts} workers ended while they were at this job. The server’s log may say why; send the prompt again to try once more.`,
      }
      await fail(deps, tx, { job, message, error })
      return null
    }
    const hold = await store.claimJob(tx, jobId)
    const attempts = message.attempts + 1
    await store.updateMessage(tx, message.id, { state: 'running', attempts })
    return { job, message: { ...message, attempts }, hold }
  })
}

async function work(run: Run): Promise<void> {
  const { deps, job, message, reporter, signal } = run
  reporter.report({ type: 'preparing', text: `Getting ${job.repository}` })
  const source = await openSource(deps, job.projectId)
  const remote = await openRemoteRepository({
    remote: await source.host.openRemote(),
    mirrorDir: source.mirrorDir,
    signal,
  })
  const start = await findStart(run, { host: source.host, remote })
  await using base = await openGitTree({
    gitDir: remote.gitDir,
    commit: start.commit,
    root: source.docsPath,
    signal,
  })
  if (base.entries.size === 0 && source.docsPath !== '') {
    const where = `The branch ${start.base} has no folder ${source.docsPath}`
    throw new DocentError('invalid', 'job.docs_missing', `${where}. Change the project’s docsPath.`)
  }
  const tree = createWorkingTree(base, { docsPath: source.docsPath })
  const check = createCheck(run, tree)
  const outcome = await think(run, { tree, start, gitDir: remote.gitDir, check })
  const changes = tree.changes()
  if (changes.length === 0) {
    await complete(run, { outcome, pullRequest: null })
    return
  }
  refuseOversize(changes, deps.config.agentMaxFiles)
  const checked = await check()
  const { introduced, problems } = checked
  reporter.report({
    type: 'check',
    text: `Checked ${checked.pages} pages: ${introduced.length} new problems, ${problems.length - introduced.length} older`,
    introduced: introduced.length,
    older: problems.length - introduced.length,
  })
  const earlier = (await store.listEarlierMessages(deps.db, message)).filter(
    (one) => one.commit !== null && one.branch === start.branch,
  )
  const summaries = [...earlier.map((one) => one.summary ?? ''), outcome.summary]
  const kinds = changes.map(({ path, content }) => ({
    path,
    kind: content === null ? ('deleted' as const) : base.entries.has(path) ? ('changed' as const) : ('added' as const),
  }))
  const pullRequest = await publish({
    host: source.host,
    remote,
    docsPath: source.docsPath,
    base: start.base,
    branch: start.branch,
    parent: start.commit,
    expected: await expectedHead(run, { start, findHead: () => remote.findHead(start.branch) }),
    changes,
    message: commitMessage({ ...outcome, jobId: job.id }),
    date: message.createdAt,
    title: pullRequestTitle(earlier[0]?.title ?? outcome.title),
    body: pullRequestBody({ jobId: job.id, summaries, check: checked, changes: kinds }),
    signal,
    mostPatchBytes,
    async onStep(step) {
      signal.throwIfAborted()
      const texts = {
        push: `Pushing to ${start.branch}`,
        'pull-request': 'Opening the pull request',
        'read-back': 'Reading the pull request back',
      }
      reporter.report({ type: 'publishing', text: texts[step.kind], step: step.kind })
      // Written down as soon as it is known, for whoever takes over; and nothing is done for a job that is not ours.
      await whileHeld(deps.db, run.hold, async (tx) => {
        if (step.kind === 'push') await store.updateMessage(tx, message.id, { commit: step.commit })
        if (step.kind === 'read-back') {
          const { number: pullRequest, url: prLink } = step.pullRequest
          await store.updateJob(tx, job.id, { pullRequest, prLink })
        }
      })
    },
  })
  await complete(run, { outcome, pullRequest })
}

/** Lets the agent work, unless an earlier worker's had finished already. */
async function think(
  run: Run,
  input: { tree: WorkingTree; start: Start; gitDir: string; check: () => Promise<CheckResult> },
): Promise<AgentOutcome> {
  const { deps, job, message, hold, reporter, signal } = run
  const { tree, start, gitDir, check } = input
  const { config, clock, db } = deps
  const stored = await store.listSteps(db, message.id)
  for (const { changes } of stored) for (const change of changes) apply(tree, change)
  if (message.title !== null && !start.isNew) return { title: message.title, summary: message.summary ?? '' }

  const isBuiltin = job.model === builtinModel
  reporter.report({ type: 'working', text: stored.length > 0 ? 'Going on' : 'Working', model: job.model })
  const save = createStepSaver(run, tree)
  const agentRun: AgentRun = {
    jobId: job.id,
    model: job.model,
    prompt: message.prompt,
    earlier: (await store.listEarlierMessages(db, message)).map(({ prompt, summary }) => ({ prompt, summary })),
    tree,
    guidance: isBuiltin ? [] : await readGuidance(gitDir, start.baseCommit),
    steps: stored.map(({ step }) => step),
    saveStep: save,
    report: (event) => reporter.report(event),
    check,
    budgets: {
      steps: config.agentMaxSteps,
      deadlineMs: clock.now().getTime() + config.agentMaxMinutes * 60_000,
      tokens: config.agentMaxTokens,
      files: config.agentMaxFiles,
      patchBytes: mostPatchBytes,
    },
    signal,
  }
  const outcome = await (isBuiltin ? deps.agents.editor : deps.agents.loop)(agentRun)
  signal.throwIfAborted()
  // What it changed since its last step, and its words, so that publishing can be done again without it.
  if (save.isBehind()) await save({ data: { finished: true }, usage: { inputTokens: 0, outputTokens: 0 } })
  await whileHeld(db, hold, (tx) => store.updateMessage(tx, message.id, outcome))
  return outcome
}

type StepSaver = AgentRun['saveStep'] & {
  /** Whether the tree has changes that no step holds. */
  isBehind(): boolean
}

/** Stores each step with the files that changed since the one before it. */
function createStepSaver({ deps, hold, message }: Run, tree: WorkingTree): StepSaver {
  let saved = snapshot(tree)
  const save = async (step: Parameters<AgentRun['saveStep']>[0]) => {
    const now = snapshot(tree)
    const changes: FileChange[] = []
    for (const [path, content] of now) if (saved.get(path) !== content) changes.push({ path, content })
    // Changed before, and as it was in the beginning now.
    for (const path of saved.keys()) if (!now.has(path)) changes.push({ path, content: await tree.base.read(path) })
    await whileHeld(deps.db, hold, (tx) => store.insertStep(tx, { message, step, changes }))
    saved = now
  }
  return Object.assign(save, {
    isBehind() {
      const now = snapshot(tree)
      return now.size !== saved.size || [...now].some(([path, content]) => saved.get(path) !== content)
    },
  })
}

/** Buffers are never written into, so that the same one means the same bytes. */
function snapshot(tree: WorkingTree): Map<string, Buffer | null> {
  return new Map(tree.changes().map(({ path, content }) => [path, content]))
}

function apply(tree: WorkingTree, { path, content }: FileChange): void {
  if (content === null) tree.delete(path)
  else tree.write(path, content)
}

/** The checks of the tree as it is now; asked again without a change in between, they are not done again. */
function createCheck({ deps, signal }: Run, tree: WorkingTree): () => Promise<CheckResult> {
  const options = { cache: deps.pageCache, signal }
  let before: Promise<CheckReport> | null = null
  let checked: { entries: WorkingTree['entries']; result: CheckResult } | null = null
  return async () => {
    // A new map with each change.
    const { entries } = tree
    if (checked?.entries === entries) return checked.result
    const after = await checkDocs(tree, options)
    let introduced: CheckReport['problems'] = []
    // Where there is nothing wrong, nothing was brought in.
    if (after.problems.length > 0) {
      before ??= checkDocs(tree.base, options)
      introduced = introducedProblems((await before).problems, after.problems)
    }
    checked = { entries, result: { ...after, introduced } }
    return checked.result
  }
}

/** Where the branch is if only this job has been at it: an earlier attempt may have pushed already. */
async function expectedHead(
  { message }: Run,
  { start, findHead }: { start: Start; findHead(): Promise<string | null> },
): Promise<string | null> {
  const untouched = start.isNewBranch ? null : start.commit
  if (message.commit === null) return untouched
  return (await findHead()) === message.commit ? message.commit : untouched
}

function refuseOversize(changes: FileChange[], mostFiles: number): void {
  if (changes.length <= mostFiles) return
  const message = `The change touches ${changes.length} files; at most ${mostFiles} are allowed. Ask for less at a time, or raise DOCENT_AGENT_MAX_FILES.`
  throw new DocentError('too_large', 'job.too_many_files', message)
}

async function complete(
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

async function fail(
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
async function settle(
  { deps, job, message, hold }: Run,
  { thrown, isGone, isStopping }: { thrown: unknown; isGone: boolean; isStopping: boolean },
): Promise<void> {
  const error = toDocentError(thrown)
  // Whoever has the job now, or archived it, writes down what becomes of it.
  if (isGone || error.code === 'job.lost') return
  const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited'
  const isRetried = isStopping || (isPassing && message.attempts < mostAttempts)
  deps.log[isRetried ? 'warn' : 'error']({ jobId: job.id, attempt: message.attempts, err: thrown }, 'job.run_failed')
  await deps.db.transaction().execute(async (tx) => {
    const held = await store.lockHeldJob(tx, hold)
    if (!held) return
    if (!isRetried) {
      await fail(deps, tx, { job: held, message, error: { code: error.code, message: error.message } })
      return
    }
    const waitSeconds = Math.min(longestRetrySeconds, Math.max(1, error.retryAfterSeconds ?? 2 ** message.attempts))
    // A worker that was told to stop is no fault of the job.
    const attempts = isStopping ? message.attempts - 1 : message.attempts
    await store.updateMessage(tx, message.id, { state: 'waiting', attempts })
    const text = isStopping
      ? 'This worker stops; another goes on'
      : `${error.message} Trying again in ${waitSeconds} s.`
    await store.insertEvent(tx, { jobId: job.id, type: 'retrying', data: { text } })
    await enqueue(deps, tx, held, isStopping ? {} : { delaySeconds: waitSeconds })
  })
}
