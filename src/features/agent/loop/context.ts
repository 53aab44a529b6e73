import type { ModelMessage } from 'ai'
import type { ContextBounds, LoopState } from './loop-state.ts'

/** Results up to this long stay: a note in their place would save little. */
const shortResult = 600
/** What the model did last it needs before it. */
const recentSteps = 3
const charactersPerToken = 3.5

export function estimateTokens(messages: ModelMessage[]): number {
  return Math.ceil(JSON.stringify(messages).length / charactersPerToken)
}

/**
 * The conversation to send, within bounds. Results of old steps become notes, many at a time and seldom: what comes
 * before the first change is the same as in the last request, which providers then charge less for.
 */
export function withinBounds(state: LoopState): { messages: ModelMessage[]; context: ContextBounds } {
  let { context } = state
  let messages = build(state, context)
  if (estimateTokens(messages) <= context.limit) return { messages, context }
  const most = Math.max(context.shortened, state.steps.length - (context.tight ? 1 : recentSteps))
  for (let shortened = context.shortened + 1; shortened <= most; shortened++) {
    context = { ...context, shortened }
    messages = build(state, context)
    if (estimateTokens(messages) <= context.limit * 0.6) break
  }
  return { messages, context }
}

/** After a model said that this was too much for it. */
export function tightened(messages: ModelMessage[], context: ContextBounds): ContextBounds {
  return { ...context, limit: Math.floor(estimateTokens(messages) * 0.6), tight: true }
}

function build({ opening, steps }: LoopState, { shortened, limit, tight }: ContextBounds): ModelMessage[] {
  const mostRecent = tight ? Math.max(shortResult, (limit * charactersPerToken) / 4) : Number.POSITIVE_INFINITY
  return [
    ...opening,
    ...steps.flatMap((messages, index) =>
      messages.map((message) => shorten(message, index < shortened ? shortResult : mostRecent)),
    ),
  ]
}

function shorten(message: ModelMessage, most: number): ModelMessage {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part
    if (part.output.type !== 'text' && part.output.type !== 'error-text') return part
    if (part.output.value.length <= most) return part
    const { length } = part.output.value
    const value = `[Left out to save room: ${length} characters. Call ${part.toolName} again if you need them.]`
    return { ...part, output: { ...part.output, value } }
  })
  return { ...message, content }
}
