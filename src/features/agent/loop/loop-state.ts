import type { ModelMessage } from 'ai'
import type { AgentOutcome, AgentStep } from '../agent-run.ts'
import { createFileMemory, type FileMemory, type Seen } from '../tools/file-memory.ts'
import { createRepetitionGuard, type RepetitionGuard } from './repetition.ts'

/** What is stored of one step: enough to go on from it in another process as if nothing had happened. */
export interface StepData {
  /** What the model was first told; with the first step only. */
  opening?: ModelMessage[]
  /** The model's answer, what its calls gave, and what we said to it after. */
  messages: ModelMessage[]
  seen: [path: string, seen: Seen][]
  calls: { key: string; changed: boolean }[]
  refusals: number
  textOnly: number
  hasCalled: boolean
  lastText: string
  context: ContextBounds
  ending: string | null
  isRepeating: boolean
  outcome: AgentOutcome | null
}

export interface ContextBounds {
  /** Long results of this many steps, from the first, are sent as a note. */
  shortened: number
  /** About how many tokens a request may have; less once a model said that it was too much. */
  limit: number
  /** A model said that it was too much: recent results are cut too. */
  tight: boolean
}

export interface LoopState {
  opening: ModelMessage[]
  steps: ModelMessage[][]
  tokens: number
  /** What the last step took, in and out. */
  lastTokens: number
  memory: FileMemory
  guard: RepetitionGuard
  refusals: number
  /** Answers in a row that called no tool. */
  textOnly: number
  hasCalled: boolean
  /** What the model last said in words. */
  lastText: string
  context: ContextBounds
  /** One call was made so often that the work has to end. */
  isRepeating: boolean
  /** Why the work has to be wrapped up, as a sentence; null while it may go on. */
  ending: string | null
  outcome: AgentOutcome | null
}

/** Most models take more; the cost of a long job grows with what is sent again at every step. */
const usualLimit = 120_000

export function startState(opening: ModelMessage[]): LoopState {
  return {
    opening,
    steps: [],
    tokens: 0,
    lastTokens: 0,
    memory: createFileMemory(),
    guard: createRepetitionGuard(),
    refusals: 0,
    textOnly: 0,
    hasCalled: false,
    lastText: '',
    isRepeating: false,
    context: { shortened: 0, limit: usualLimit, tight: false },
    ending: null,
    outcome: null,
  }
}

export function restoreState(steps: AgentStep[]): LoopState {
  const state = startState([])
  for (const { data: stored, usage } of steps) {
    const data = stored as unknown as StepData
    // Whoever runs us may have stored a last one of its own, which only holds files.
    if (data.messages === undefined) continue
    if (data.opening) state.opening = data.opening
    state.lastTokens = usage.inputTokens + usage.outputTokens
    state.tokens += state.lastTokens
    state.steps.push(data.messages)
    state.memory.restore(data.seen)
    for (const { key, changed } of data.calls) state.guard.count(key, changed)
    const { refusals, textOnly, hasCalled, lastText, context, ending, isRepeating, outcome } = data
    Object.assign(state, { refusals, textOnly, hasCalled, lastText, context, ending, isRepeating, outcome })
  }
  return state
}
