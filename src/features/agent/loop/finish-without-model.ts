import { DocentError } from '#base/errors.ts'
import type { AgentOutcome, AgentRun } from '../agent-run.ts'
import { describeProblems } from '../tools/check.ts'
import type { LoopState } from './loop-state.ts'

/**
 * What came of work that the model did not finish itself. What it changed is worth a reviewer's look, with a word about
 * how it ended; where it changed nothing, the person is told why.
 */
export async function finishWithoutModel(run: AgentRun, state: LoopState): Promise<AgentOutcome> {
  const said = state.lastText.trim()
  if (run.tree.changes().length === 0) {
    if (state.ending !== null) throw outOfBudget(run.model, state.ending)
    if (!state.hasCalled) throw cannotCall(run.model)
    return { title: titleOf(run.prompt), summary: said || 'Nothing had to change.' }
  }
  const parts = [said || 'The agent gave no summary.']
  if (state.ending !== null) parts.push(stoppedNote(state.ending))
  const { introduced } = await run.check()
  if (introduced.length > 0) parts.push(`**Problems that remain:**\n\n${describeProblems(introduced)}`)
  return { title: titleOf(run.prompt), summary: parts.join('\n\n') }
}

/** For the reviewer. */
export function stoppedNote(ending: string): string {
  return `> The agent was stopped: ${ending}. Something may be missing.`
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ').trim()
  return line.length > 70 ? `${line.slice(0, 69).toWellFormed()}…` : line
}

function outOfBudget(model: string, reason: string): DocentError {
  const message = `${model} changed nothing before it was stopped: ${reason}. Ask for less at once, or raise the limit in the settings.`
  return new DocentError('too_large', 'agent.out_of_budget', message)
}

function cannotCall(model: string): DocentError {
  const message = `${model} answered in words only and never called a tool, so nothing was done. Use a model, and a server, with tool calling.`
  return new DocentError('unsupported', 'agent.no_tool_calls', message)
}
