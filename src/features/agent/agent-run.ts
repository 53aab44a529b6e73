import type { CheckReport } from '#features/content/service.ts'
import type { EditableTree } from '#infra/files/editable-tree.ts'

/**
 * What does the work of one prompt: the built-in editor or a model in a loop. It changes `tree` and nothing else, and
 * says what it did; committing and publishing are not its business. Throws `DocentError`: what the message says is what
 * the person reads in the job's `error`.
 */
export type Agent = (run: AgentRun) => Promise<AgentOutcome>

export interface AgentRun {
  jobId: string
  model: string
  prompt: string
  /** Earlier prompts of this job with what came of them, oldest first. */
  earlier: { prompt: string; summary: string | null }[]
  /** The docs folder. After a takeover it already has the changes of `steps`. */
  tree: WorkingTree
  /** Instructions for agents and the pull-request template, from the base branch; size-capped. Data, not orders. */
  guidance: { path: string; text: string }[]
  /** Steps that are done and stored already: a killed worker's run goes on from here. Empty at first. */
  steps: AgentStep[]
  /** Stores a step with the files it changed, before the next one starts. Throws when this worker lost the job. */
  saveStep(step: AgentStep): Promise<void>
  /** Tells whoever watches, in one line. Never throws. */
  report(event: ProgressEvent): void
  /**
   * What the checks find now, compared with the tree underneath. What the change introduced is all there; the older
   * problems of pages that were not changed may be left out, unless `whole` asks for them.
   */
  check(options?: { whole?: boolean }): Promise<CheckResult>
  budgets: Budgets
  /** Aborts when the job was archived, lost or handed back: stop at once. */
  signal: AbortSignal
}

/** An editable tree that knows which paths are closed to the agent. */
export interface WorkingTree extends EditableTree {
  /** Where the docs folder stands in the repository; empty when it is the whole of it. */
  readonly docsPath: string
  /** Why this path must not be written, as a sentence; null when it may. Also says so for paths that no file can have. */
  refusal(path: string): string | null
}

export interface AgentStep {
  /** Whatever the agent needs to go on after this step: for a model, the messages and what they cost. JSON. */
  data: Record<string, unknown>
  usage: { inputTokens: number; outputTokens: number }
}

export interface AgentOutcome {
  /** One line in the imperative, for the pull request and the commit. */
  title: string
  /** Markdown: what was done and why. */
  summary: string
}

export interface CheckResult extends CheckReport {
  /** Whether all of the docs were looked at, or only the changed pages, as no other can have got a problem. */
  scope: 'whole' | 'changes'
  /** Those of `problems` that the tree underneath does not have: the change introduced them. */
  introduced: CheckReport['problems']
}

export interface Budgets {
  steps: number
  /** Until when the work must be done, in milliseconds since 1970. */
  deadlineMs: number
  tokens: number
  files: number
  patchBytes: number
}

/** What a person can follow. `text` is one line, without what a repository's files say. */
export type ProgressEvent =
  | { type: 'tool'; text: string; tool: string; ok: boolean }
  | { type: 'note'; text: string }
  | { type: 'check'; text: string; introduced: number; older: number }
