import { counted } from '#base/counted.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import type { PageCache, Problem, ProblemRule } from '#features/content/service.ts'
import type { Agent, AgentOutcome, AgentRun, AgentStep } from '../agent-run.ts'
import { measureChanges } from '../change-size.ts'
import { capped, carryOut, type Done } from './carry-out.ts'
import { code, shorten } from './markdown-text.ts'
import { type Instruction, parseInstructions } from './parse-instructions.ts'

/** With these a page or the whole site is not shown at all: a mechanical edit must not publish that. */
const breakingRules: ReadonlySet<ProblemRule> = new Set(['mdx', 'frontmatter', 'config'])

/**
 * `builtin/editor`: does exactly what a prompt says in a few fixed forms, without any model. All of it or nothing: what
 * it does not understand, or cannot do, fails the job before anything is published.
 */
export function createEditorAgent({ pageCache }: { pageCache: PageCache }): Agent {
  return async (run) => {
    const instructions = parseInstructions(run.prompt)
    const done = run.steps.map(readStep)
    for (const instruction of instructions.slice(done.length)) {
      run.signal.throwIfAborted()
      const result = await doOne(run, instruction, pageCache)
      await keepToBudgets(run)
      await run.saveStep({ data: { done: result }, usage: { inputTokens: 0, outputTokens: 0 } })
      done.push(result)
    }
    run.signal.throwIfAborted()
    if (run.tree.changes().length === 0) return outcomeOf(done, null)
    const checked = await run.check()
    const { introduced } = checked
    const older = checked.problems.length - introduced.length
    const pages = counted(checked.pages, checked.scope === 'whole' ? 'page' : 'changed page')
    const text = `Checked ${pages}: ${counted(introduced.length, 'new problem')}, ${older} older`
    run.report({ type: 'check', text, introduced: introduced.length, older })
    refuseBreaking(introduced)
    return outcomeOf(done, introduced)
  }
}

async function doOne(run: AgentRun, instruction: Instruction, cache: PageCache): Promise<Done> {
  const said = shorten(instruction.said, 200)
  try {
    const done = await carryOut(run.tree, instruction, { cache, signal: run.signal })
    run.report({ type: 'tool', tool: instruction.kind, text: `${said}: ${done.progress}`, ok: true })
    return done
  } catch (error) {
    if (!run.signal.aborted) {
      const text = `${said}: ${shorten(messageOf(error), 300)}`
      run.report({ type: 'tool', tool: instruction.kind, text, ok: false })
    }
    throw error
  }
}

function readStep({ data }: AgentStep): Done {
  const { done } = data
  if (typeof done === 'object' && done !== null && 'sentence' in done) return done as Done
  throw new DocentError('internal', 'editor.bad_step', 'A stored step of this job is not one of the built-in editor.')
}

async function keepToBudgets(run: AgentRun): Promise<void> {
  const files = run.tree.changes().length
  if (files > run.budgets.files) {
    const message = `This would change ${files} files; a job may change ${run.budgets.files}. Ask for less at once, such as one folder.`
    throw new DocentError('too_large', 'editor.too_many_files', message)
  }
  const { bytes } = await measureChanges(run.tree)
  if (bytes > run.budgets.patchBytes) {
    const message = `This would change ${bytes} bytes; a job may change ${run.budgets.patchBytes}. Ask for less at once, such as one folder.`
    throw new DocentError('too_large', 'editor.patch_too_large', message)
  }
}

function refuseBreaking(introduced: readonly Problem[]): void {
  const breaking = introduced.filter(({ rule }) => breakingRules.has(rule))
  const [first] = breaking
  if (!first) return
  const rest = breaking.length > 1 ? ` (and ${breaking.length - 1} more)` : ''
  const message =
    `The edit would break ${first.path}, line ${first.line}: ${shorten(first.message, 300)}${rest} Nothing was ` +
    'published; change the instruction, or mend the page first.'
  throw new DocentError('invalid', 'editor.breaks_page', message)
}

/** `introduced` is null when nothing was changed, so that there was nothing to check. */
function outcomeOf(done: Done[], introduced: readonly Problem[] | null): AgentOutcome {
  const parts = done.map(({ sentence, points }) =>
    [`- ${sentence}`, ...points.map((point) => `  - ${point}`)].join('\n'),
  )
  if (introduced === null) {
    return { title: 'Change nothing', summary: `There was nothing to change.\n\n${parts.join('\n')}` }
  }
  const summary = [parts.join('\n')]
  if (introduced.length > 0) {
    const problems = introduced.map(
      ({ path, line, message }) => `${code(path)}, line ${line}: ${shorten(message, 300)}`,
    )
    summary.push(
      `${counted(introduced.length, 'problem')} that this change introduces:`,
      capped(problems)
        .map((one) => `- ${one}`)
        .join('\n'),
    )
  }
  const [first, ...others] = done.filter(({ changed }) => changed)
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more edit')}`
  return { title: `${first?.title ?? 'Edit the docs'}${more}`, summary: summary.join('\n\n') }
}
