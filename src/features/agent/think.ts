import { builtinModel } from '#base/model-id.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import type { AgentOutcome, AgentRun, WorkingTree } from './agent-run.ts'
import { readGuidance } from './guidance.ts'
import { whileHeld } from './hold.ts'
import { mostPatchBytes, type Run } from './run.ts'
import type { Start } from './start.ts'
import * as store from './store.ts'

/** Lets the agent work, unless an earlier worker's had finished already. */
export async function think(
  run: Run,
  input: { tree: WorkingTree; start: Start; gitDir: string; check: AgentRun['check'] },
): Promise<AgentOutcome> {
  const { deps, job, message, hold, limits, reporter, signal } = run
  const { tree, start, gitDir, check } = input
  const { clock, db } = deps
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
    guidance: isBuiltin ? [] : await readGuidance(gitDir, { commit: start.baseCommit, docsPath: tree.docsPath }),
    steps: stored.map(({ step }) => step),
    saveStep: save,
    report: (event) => reporter.report(event),
    check,
    budgets: {
      steps: limits.maxSteps,
      deadlineMs: clock.now().getTime() + limits.maxMinutes * 60_000,
      tokens: limits.maxTokens,
      files: limits.maxFiles,
      patchBytes: mostPatchBytes,
    },
    signal,
  }
  const outcome = printable(await (isBuiltin ? deps.agents.editor : deps.agents.loop)(agentRun))
  signal.throwIfAborted()
  // What it changed since its last step, and its words, so that publishing can be done again without it.
  if (save.isBehind()) await save({ data: { finished: true }, usage: { inputTokens: 0, outputTokens: 0 } })
  await whileHeld(db, hold, (tx) => store.updateMessage(tx, message.id, outcome))
  return outcome
}

/** A model may have copied it from a page that was made for whatever shows it, such as a terminal. */
function printable({ title, summary }: AgentOutcome): AgentOutcome {
  const words = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '')
  return { title: words(title), summary: words(summary) }
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
