import { DocentError } from '#base/errors.ts'
import { openSource, type ProjectSource } from '#features/repositories/service.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import { openGitTree } from '#infra/files/git-tree.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import type { JobContext } from '#infra/queue/queue.ts'
import { largestPatch } from './change-size.ts'
import { createCheck } from './check-tree.ts'
import { watchHold, whileHeld } from './hold.ts'
import { readLimits } from './limits/limits.ts'
import { publish } from './publish.ts'
import { commitMessage, pullRequestBody, pullRequestTitle } from './pull-request-text.ts'
import { createReporter } from './reporter.ts'
import { mostAttempts, mostPatchBytes, type Run, type RunDeps } from './run.ts'
import { complete, fail, settle } from './settle.ts'
import { findStart, type Start } from './start.ts'
import * as store from './store.ts'
import { think } from './think.ts'
import { createWorkingTree } from './working-tree.ts'

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
  const { job, message } = taken
  const fields = { jobId: job.id, projectId: job.projectId, model: job.model, attempt: message.attempts }
  deps.log.info(fields, 'job.started')
  const startedAt = performance.now()
  const reporter = createReporter(deps, taken.hold)
  using watch = watchHold(deps, taken.hold)
  const run: Run = { deps, ...taken, reporter, signal: AbortSignal.any([signal, stopping, watch.lost]) }
  try {
    await work(run)
    deps.log.info({ ...fields, durationMs: Math.round(performance.now() - startedAt) }, 'job.done')
  } catch (thrown) {
    await reporter.flush()
    const isGone = watch.lost.aborted || signal.aborted
    await settle(run, { thrown, isGone, isStopping: stopping.aborted })
  } finally {
    await reporter.flush()
    deps.jobWatchers.wake(job.id)
  }
}

async function take(
  deps: RunDeps,
  { jobId, ticket }: { jobId: string; ticket: number },
): Promise<Pick<Run, 'job' | 'message' | 'hold' | 'limits'> | null> {
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
    const limits = await readLimits({ db: tx, config: deps.config }, job.projectId)
    return { job, message: { ...message, attempts }, hold, limits }
  })
}

async function work(run: Run): Promise<void> {
  const { deps, job, message, reporter, signal } = run
  reporter.report({ type: 'preparing', text: `Getting ${job.repository}` })
  deps.pageCache.parser.prepare()
  const source = await openSource(deps, job.projectId)
  refuseOtherRepository(job, source)
  const remote = await openRemoteRepository({
    remote: await source.host.openRemote(),
    mirrorDir: source.mirrorDir,
    signal,
  })
  const start = await findStart(run, { host: source.host, remote, docsPath: source.docsPath })
  const { docsPath } = start
  await using base = await openGitTree({
    gitDir: remote.gitDir,
    commit: start.commit,
    root: docsPath,
    cache: deps.gitCache,
    signal,
  }).catch((error) => {
    if (!(error instanceof DocentError) || error.code !== 'git.folder_not_found') throw error
    const message = `The branch ${start.base} has no folder ${docsPath}. Change the project’s docsPath.`
    throw new DocentError('invalid', 'job.docs_missing', message, { cause: error })
  })
  const tree = createWorkingTree(base, { ...source, docsPath })
  const check = createCheck(run, tree)
  const outcome = await think(run, { tree, start, gitDir: remote.gitDir, check })
  const changes = tree.changes()
  if (changes.length === 0) {
    await complete(run, { outcome, pullRequest: null })
    return
  }
  refuseOversize(changes, { mostFiles: run.limits.maxFiles, serverAllows: deps.config.agentMaxFiles })
  const checked = await check()
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
    docsPath,
    base: start.base,
    branch: start.branch,
    parent: start.commit,
    expected: await expectedHead(run, { start, findHead: () => remote.findHead(start.branch) }),
    changes,
    objects: base.objects,
    largestPatch: await largestPatch(tree),
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

/** Where the branch is if only this job has been at it: an earlier attempt may have pushed already. */
async function expectedHead(
  { message }: Run,
  { start, findHead }: { start: Start; findHead(): Promise<string | null> },
): Promise<string | null> {
  const untouched = start.isNewBranch ? null : start.commit
  if (message.commit === null) return untouched
  return (await findHead()) === message.commit ? message.commit : untouched
}

/**
 * The job says in which repository it works, and what it has published is there. The built-in host's has no other, and
 * an address that follows the server's.
 */
function refuseOtherRepository(job: store.JobRow, { provider, repository }: ProjectSource): void {
  if (provider === 'builtin' || repository === job.repository) return
  const message = `The job is about ${job.repository}, and the project’s repository is ${repository} by now. Create a new job.`
  throw new DocentError('conflict', 'job.repository_changed', message)
}

function refuseOversize(
  changes: FileChange[],
  { mostFiles, serverAllows }: { mostFiles: number; serverAllows: number },
): void {
  if (changes.length <= mostFiles) return
  const raise = mostFiles < serverAllows ? 'the project’s limit' : 'DOCENT_AGENT_MAX_FILES'
  const message = `The change touches ${changes.length} files; at most ${mostFiles} are allowed. Ask for less at a time, or raise ${raise}.`
  throw new DocentError('too_large', 'job.too_many_files', message)
}
