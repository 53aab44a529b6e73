import type { AgentRun, AgentStep, ProgressEvent, WorkingTree } from '#features/agent/agent-run.ts'
import { createCheck } from '#features/agent/check-tree.ts'
import { createWorkingTree } from '#features/agent/working-tree.ts'
import { createPageCache } from '#features/content/service.ts'
import { memoryTree } from '../memory-tree.ts'

/** For all runs of a test file: what parses pages is a process, and takes a moment to start. */
export const pageCache = createPageCache()

export interface TestRun extends AgentRun {
  /** What was stored, as it comes back from a database. */
  saved: { step: AgentStep; files: Record<string, string | null> }[]
  reports: ProgressEvent[]
}

export const testFiles = {
  'docs.json':
    '{\n  "name": "Test",\n  "navigation": { "groups": [{ "group": "Guides", "pages": ["index", "guides/setup"] }] }\n}\n',
  'index.mdx': '---\ntitle: Home\n---\n\nWelcome to Acme. See [setup](/guides/setup).\n',
  'guides/setup.mdx': '---\ntitle: Setup\n---\n\nInstall Acme with npm.\n\nThen run it.\n',
}

/** A run as a worker makes it, in memory. With `from`, one that goes on from steps that another one saved. */
export function createTestRun(
  given: Partial<Pick<AgentRun, 'prompt' | 'earlier' | 'guidance' | 'signal' | 'model' | 'jobId' | 'saveStep'>> & {
    files?: Record<string, string | Buffer>
    docsPath?: string
    budgets?: Partial<AgentRun['budgets']>
    from?: TestRun['saved']
  } = {},
): TestRun {
  const tree = createWorkingTree(memoryTree(given.files ?? testFiles), {
    docsPath: given.docsPath ?? '',
    openPaths: [],
  })
  const from = given.from ?? []
  for (const { files } of from) {
    for (const [path, content] of Object.entries(files)) {
      if (content === null) tree.delete(path)
      else tree.write(path, Buffer.from(content, 'base64'))
    }
  }
  const saved: TestRun['saved'] = [...from]
  const reports: ProgressEvent[] = []
  return {
    jobId: given.jobId ?? 'job_0123456789ABCDEFGHIJKL',
    model: given.model ?? 'openai-compatible/test',
    prompt: given.prompt ?? 'Rename Acme to Apex.',
    earlier: given.earlier ?? [],
    guidance: given.guidance ?? [],
    tree,
    steps: from.map(({ step }) => structuredClone(step)),
    async saveStep(step) {
      await given.saveStep?.(step)
      saved.push({ step: JSON.parse(JSON.stringify(step)), files: encoded(tree) })
    },
    report: (event) => reports.push(event),
    check: createCheck({ deps: { pageCache }, signal: new AbortController().signal }, tree),
    budgets: {
      steps: 30,
      deadlineMs: Date.now() + 60_000,
      tokens: 1_000_000,
      files: 100,
      patchBytes: 1_000_000,
      ...given.budgets,
    },
    signal: given.signal ?? new AbortController().signal,
    saved,
    reports,
  }
}

function encoded(tree: WorkingTree): Record<string, string | null> {
  return Object.fromEntries(tree.changes().map(({ path, content }) => [path, content?.toString('base64') ?? null]))
}
