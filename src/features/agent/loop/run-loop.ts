import type { ModelMessage } from 'ai'
import type { Model, OpenModel } from '#backends/models/model.ts'
import { recordModel } from '#backends/models/record-model.ts'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { PageCache } from '#features/content/service.ts'
import type { Agent, AgentOutcome, AgentRun } from '../agent-run.ts'
import { finish } from '../tools/finish.ts'
import { toolNamed } from '../tools/lenient-call.ts'
import { createToolRunner, type ToolRunner } from '../tools/run-tool.ts'
import type { ToolContext } from '../tools/tool.ts'
import { tools } from '../tools/tools.ts'
import { type Answer, askModel, type Question } from './ask-model.ts'
import { tightened, withinBounds } from './context.ts'
import { finishWithoutModel, stoppedNote } from './finish-without-model.ts'
import { instructions } from './instructions.ts'
import { type LoopState, restoreState, type StepData, startState } from './loop-state.ts'
import { openingMessages } from './opening.ts'
import { callKey, stoppedAt, toldAt } from './repetition.ts'
import { storable } from './storable.ts'
import { cutOff, finishTooEarly, nudge, repeating, stepsLeft, wrapUp } from './words.ts'

export interface LoopDeps {
  openModel: OpenModel
  clock: Clock
  log: Log
  /** Shared with the checks of this process. */
  pageCache: PageCache
  /** Folder to write what the model is asked and answers, one file a job; see record-model.ts. */
  record?: string | undefined
  /** How long to wait before a model that is away is asked again. */
  backoffMs?: number
}

/** An answer in words is followed up this often before the work ends with it. */
const mostTextOnly = 2
/** Time to wrap up in, before the deadline. */
const wrapUpMs = 90_000

/** An agent that lets a model work with tools until it calls finish, or until a budget is spent. */
export function createLoopAgent(deps: LoopDeps): Agent {
  return async (run) => {
    run.signal.throwIfAborted()
    const state =
      run.steps.length === 0
        ? startState(storable(await openingMessages(run, deps.clock.now())))
        : restoreState(run.steps)
    if (state.outcome !== null) return state.outcome
    const opened = await deps.openModel(run.model)
    const model =
      deps.record === undefined ? opened : await recordModel(opened, { folder: deps.record, name: run.jobId })
    const loop: Loop = {
      deps,
      run,
      state,
      model,
      toolRunner: createToolRunner(tools),
      startedMs: deps.clock.now().getTime(),
    }
    for (;;) {
      const outcome = await takeStep(loop)
      if (outcome !== null) return outcome
    }
  }
}

interface Loop {
  deps: LoopDeps
  run: AgentRun
  state: LoopState
  model: Model
  toolRunner: ToolRunner
  startedMs: number
}

/** Asks once, runs what the model calls and stores it; gives the outcome when that was the last. */
async function takeStep(loop: Loop): Promise<AgentOutcome | null> {
  const { run, state } = loop
  run.signal.throwIfAborted()
  // The step before a budget is exceeded is the one to wrap up in; it is not taken twice.
  if (state.ending !== null || state.textOnly > mostTextOnly) return await finishWithoutModel(run, state)
  const ending = reasonToEnd(loop)
  if (ending !== null) {
    state.ending = ending
    run.report({ type: 'note', text: `Wrapping up: ${ending}` })
    addToLast(state, wrapUp(ending))
  }

  let answer: Answer
  try {
    answer = await ask(loop)
  } catch (thrown) {
    if (!(thrown instanceof DocentError) || thrown.code !== 'agent.out_of_time') throw thrown
    state.ending = 'the time for this prompt was over'
    return await finishWithoutModel(run, state)
  }
  const data = await carryOut(loop, answer)
  await run.saveStep({ data: data as unknown as Record<string, unknown>, usage: answer.usage })
  return state.outcome
}

/** Why this step has to be the last, or null. */
function reasonToEnd({ deps, run: { budgets }, state, startedMs }: Loop): string | null {
  if (state.steps.length + 1 >= budgets.steps) return `the limit of ${budgets.steps} steps is reached`
  const reserveMs = Math.min(wrapUpMs, (budgets.deadlineMs - startedMs) / 5)
  if (deps.clock.now().getTime() >= budgets.deadlineMs - reserveMs) return 'the time for this prompt is nearly over'
  // What the next one would cost is about what the last one did.
  const perStep = state.steps.length === 0 ? 0 : state.lastTokens
  if (state.tokens + 2 * perStep >= budgets.tokens) return `the limit of ${budgets.tokens} tokens is nearly reached`
  return state.isRepeating ? 'the same call was made again and again' : null
}

async function ask(loop: Loop): Promise<Answer> {
  const { deps, run, state, model } = loop
  const isLast = state.ending !== null
  const question: Omit<Question, 'messages'> = {
    model,
    instructions,
    tools: isLast ? [finish] : tools,
    mustCall: isLast || state.textOnly >= mostTextOnly,
  }
  const askDeps = { clock: deps.clock, log: deps.log, backoffMs: deps.backoffMs ?? 1000 }
  for (let attempt = 1; ; attempt++) {
    const { messages, context } = withinBounds(state)
    state.context = context
    try {
      return await askModel(askDeps, run, { ...question, messages })
    } catch (thrown) {
      const code = thrown instanceof DocentError ? thrown.code : ''
      if (code === 'model.context_exceeded' && attempt <= 3) {
        state.context = tightened(messages, context)
        run.report({ type: 'note', text: 'The conversation is too long for the model; leaving out what is old' })
      } else if (code === 'model.refused' && question.mustCall) {
        // Not every server knows how to demand a call; it is asked for in words as well.
        question.mustCall = false
      } else {
        throw thrown
      }
    }
  }
}

/** Runs the calls in their order and gives what is to be stored. Changes the state accordingly. */
async function carryOut(loop: Loop, answer: Answer): Promise<StepData> {
  const { deps, run, state, toolRunner } = loop
  const calls: StepData['calls'] = []
  const results: Extract<ModelMessage, { role: 'tool' }>['content'] = []
  // A model that calls finish together with others has not seen what came of those.
  let hasFailed = false
  for (const { id, ...call } of answer.calls) {
    const context: ToolContext = {
      run,
      memory: state.memory,
      pageCache: deps.pageCache,
      refusals: state.ending === null ? state.refusals : Number.POSITIVE_INFINITY,
    }
    let text = 'Not run: the work is finished.'
    let ok = true
    if (hasFailed && state.ending === null && isFinish(call.name)) {
      text = finishTooEarly
      ok = false
    } else if (state.outcome === null) {
      const result = await toolRunner.call(call, context)
      ok = result.ok
      hasFailed ||= !ok
      if (result.progress !== null) {
        run.report({ type: 'tool', tool: call.name.slice(0, 40), ok: result.ok, text: result.progress })
      }
      const key = callKey(call.name, call.input)
      const times = state.guard.count(key, result.changed)
      calls.push({ key, changed: result.changed })
      if (result.refused) state.refusals++
      if (result.outcome) state.outcome = withEnding(result.outcome, state.ending)
      if (times >= stoppedAt) state.isRepeating = true
      text = times >= toldAt && !result.outcome ? `${result.text}\n\n${repeating(times)}` : result.text
    }
    results.push({
      type: 'tool-result',
      toolCallId: id,
      toolName: call.name,
      output: { type: ok ? 'text' : 'error-text', value: storable(text) },
    })
  }

  // Where it said nothing, something must stand between two messages of ours.
  const messages: ModelMessage[] = [answer.message ?? { role: 'assistant', content: '(no answer)' }]
  if (results.length > 0) messages.push({ role: 'tool', content: results })
  if (answer.calls.length === 0) {
    if (answer.finishReason === 'content-filter') throw filtered(run.model)
    state.textOnly++
    messages.push({ role: 'user', content: answer.finishReason === 'length' ? cutOff : nudge })
  } else {
    state.textOnly = 0
    state.hasCalled = true
  }
  if (answer.text !== '') state.lastText = answer.text
  state.tokens += answer.usage.inputTokens + answer.usage.outputTokens
  state.lastTokens = answer.usage.inputTokens + answer.usage.outputTokens
  state.steps.push(messages)
  const left = run.budgets.steps - state.steps.length
  if (left === 5 || left === 2) addToLast(state, stepsLeft(left))
  return {
    ...(state.steps.length === 1 ? { opening: state.opening } : {}),
    messages: state.steps.at(-1)!,
    seen: state.memory.takeChanges(),
    calls,
    refusals: state.refusals,
    textOnly: state.textOnly,
    hasCalled: state.hasCalled,
    lastText: state.lastText,
    context: state.context,
    ending: state.ending,
    isRepeating: state.isRepeating,
    outcome: state.outcome,
  }
}

const finishOnly = new Map([[finish.name, finish]])
const isFinish = (name: string) => toolNamed(finishOnly, name) !== null

/**
 * Says something to the model after what it was last told: at the end of a tool's result where that is the last, as some
 * servers take no person's message between a result and the answer to it.
 */
function addToLast(state: LoopState, text: string): void {
  const before = state.steps.at(-1) ?? state.opening
  const last = before.at(-1)
  const result = last?.role === 'tool' ? last.content.at(-1) : undefined
  let after: ModelMessage[] = [...before, { role: 'user', content: text }]
  if (last?.role === 'tool' && result?.type === 'tool-result' && 'value' in result.output) {
    const output = { ...result.output, value: `${result.output.value}\n\n${text}` } as typeof result.output
    after = [...before.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...result, output }] }]
  }
  if (state.steps.length === 0) state.opening = after
  else state.steps[state.steps.length - 1] = after
}

/** The reviewer is told even if the model does not. */
function withEnding(outcome: AgentOutcome, ending: string | null): AgentOutcome {
  return ending === null ? outcome : { ...outcome, summary: `${outcome.summary}\n\n${stoppedNote(ending)}` }
}

function filtered(model: string): DocentError {
  const message = `The provider of ${model} stopped the answer by its content filter. Change the prompt, or use another model.`
  return new DocentError('invalid', 'model.filtered', message)
}
