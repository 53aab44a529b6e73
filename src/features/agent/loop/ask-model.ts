import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelMessage, ToolSet } from 'ai'
import type { Model } from '#backends/models/model.ts'
import type { Clock } from '#base/clock.ts'
import { DocentError, toDocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { AgentRun } from '../agent-run.ts'
import { toolNamed } from '../tools/lenient-call.ts'
import { parseLooseObject } from '../tools/loose-json.ts'
import { inputSchema, type ToolCall } from '../tools/run-tool.ts'
import type { AgentTool } from '../tools/tool.ts'
import { callsInText, withoutThoughts } from './calls-in-text.ts'
import { storable } from './storable.ts'

const mostAttempts = 8
const longestBackoffMs = 60_000

export interface AskDeps {
  clock: Clock
  log: Log
  /** Wait before the second attempt; doubled for each one after. */
  backoffMs: number
}

export interface Question {
  model: Model
  instructions: string
  messages: ModelMessage[]
  tools: AgentTool[]
  /** The model must call one of the tools. */
  mustCall: boolean
}

export interface Answer {
  /** Null when the model said nothing at all. */
  message: ModelMessage | null
  text: string
  calls: (ToolCall & { id: string })[]
  finishReason: string
  usage: { inputTokens: number; outputTokens: number }
}

/** One answer of the model. Waits and asks again when its server is away or wants us to wait, as long as there is time. */
export async function askModel(
  deps: AskDeps,
  run: Pick<AgentRun, 'jobId' | 'signal' | 'budgets' | 'report'>,
  question: Question,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const leftMs = run.budgets.deadlineMs - deps.clock.now().getTime()
    if (leftMs <= 0) throw outOfTime()
    const deadline = AbortSignal.timeout(Math.ceil(leftMs))
    try {
      return await askOnce(question, { signal: AbortSignal.any([run.signal, deadline]), jobId: run.jobId })
    } catch (thrown) {
      run.signal.throwIfAborted()
      if (deadline.aborted) throw outOfTime()
      const error = toDocentError(thrown)
      const waitMs = waitBefore(error, { attempt, backoffMs: deps.backoffMs })
      const endMs = deps.clock.now().getTime() + (waitMs ?? 0)
      if (waitMs === null || endMs >= run.budgets.deadlineMs) throw error
      deps.log.warn({ jobId: run.jobId, err: error, attempt, waitMs }, 'agent.model_retry')
      run.report({
        type: 'note',
        text: `The model’s server is busy or away; asking again in ${Math.ceil(waitMs / 1000)} s`,
      })
      await sleep(waitMs, undefined, { signal: run.signal }).catch(() => run.signal.throwIfAborted())
    }
  }
}

/** Null: asking again would not help. */
function waitBefore(error: DocentError, { attempt, backoffMs }: { attempt: number; backoffMs: number }): number | null {
  const passes = error.kind === 'rate_limited' || error.kind === 'unavailable'
  if (!passes || attempt >= mostAttempts) return null
  const backoff = Math.min(longestBackoffMs, backoffMs * 2 ** (attempt - 1))
  // Spread, so that jobs which were refused together do not come back together.
  return Math.max((error.retryAfterSeconds ?? 0) * 1000, backoff * (0.75 + Math.random() / 2))
}

function outOfTime(): DocentError {
  return new DocentError('too_large', 'agent.out_of_time', 'The time for this prompt is over.')
}

async function askOnce(
  { model, instructions, messages, tools, mustCall }: Question,
  { signal, jobId }: { signal: AbortSignal; jobId: string },
): Promise<Answer> {
  const { generateText, jsonSchema, tool, wrapLanguageModel } = await import('ai')
  // Its own way of telling is to write to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const toolSet: ToolSet = Object.fromEntries(
    tools.map((one) => [one.name, tool({ description: one.description, inputSchema: jsonSchema(inputSchema(one)) })]),
  )
  const result = await generateText({
    // Said to the provider and not to the SDK, which would throw away an answer in words.
    model: mustCall ? wrapLanguageModel({ model, middleware: mustCallTool }) : model,
    instructions: { role: 'system', content: instructions, providerOptions: cached },
    messages: withCacheMark(messages),
    tools: toolSet,
    toolOrder: tools.map(({ name }) => name),
    maxRetries: 0,
    abortSignal: signal,
    providerOptions: {
      // Kept by us and not at the provider: what comes back in full needs no copy there.
      openai: { store: false, promptCacheKey: jobId },
    },
  })
  const answer = storable({
    message: result.response.messages.find(({ role }) => role === 'assistant') ?? null,
    text: withoutThoughts(result.text),
    calls: result.toolCalls.map((call) => ({
      id: call.toolCallId,
      name: call.toolName,
      input: parseLooseObject(call.input) ?? call.input,
      fault: call.invalid ? faultOf(call.input, result.finishReason) : null,
    })),
    finishReason: result.finishReason,
    usage: { inputTokens: result.usage.inputTokens ?? 0, outputTokens: result.usage.outputTokens ?? 0 },
  })
  if (answer.calls.length > 0) return { ...answer, message: withReadableCalls(answer) }
  return withCallsInText(answer, { tools, messages })
}

/** A call that could not be read goes back as one without input: servers refuse a conversation with broken JSON in it. */
function withReadableCalls({ message, calls }: Pick<Answer, 'message' | 'calls'>): Answer['message'] {
  if (message?.role !== 'assistant' || typeof message.content === 'string') return message
  const inputs = new Map(calls.map(({ id, input }) => [id, parseLooseObject(input) ?? {}]))
  const content = message.content.map((part) => {
    return part.type === 'tool-call' ? { ...part, input: inputs.get(part.toolCallId) ?? {} } : part
  })
  return { ...message, content }
}

const textId = 'call_text_'

/** Whether the model made a call there as its server wants it. */
function hasOwnCall({ role, content }: ModelMessage): boolean {
  if (role !== 'assistant' || typeof content === 'string') return false
  return content.some((part) => part.type === 'tool-call' && !part.toolCallId.startsWith(textId))
}

/** Calls written as text count as calls: not every server knows how its model writes them. */
function withCallsInText(answer: Answer, { tools, messages }: Pick<Question, 'tools' | 'messages'>): Answer {
  // What was cut off may be half of a call.
  if (answer.finishReason === 'length') return answer
  const byName = new Map(tools.map((one) => [one.name, one]))
  const { calls, words } = callsInText(answer.text, {
    isTool: (name) => toolNamed(byName, name) !== null,
    isMarked: messages.some(hasOwnCall),
  })
  if (calls.length === 0) return answer
  const named = calls.map((call, index) => ({ id: `${textId}${messages.length}_${index}`, ...call, fault: null }))
  const parts = named.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  const said = words === '' ? [] : [{ type: 'text' as const, text: words }]
  return { ...answer, text: words, calls: named, message: { role: 'assistant', content: [...said, ...parts] } }
}

const mustCallTool = {
  specificationVersion: 'v4' as const,
  transformParams: async <P extends object>({ params }: { params: P }) => ({
    ...params,
    toolChoice: { type: 'required' as const },
  }),
}

/** Null when what was meant can be told all the same. */
function faultOf(input: unknown, finishReason: string): string | null {
  if (parseLooseObject(input) !== null) return null
  if (finishReason === 'length')
    return 'your answer was cut off at the most that you can say at once. Work in smaller pieces.'
  const written = typeof input === 'string' ? input : JSON.stringify(input)
  return `the input was no valid JSON. You wrote ${JSON.stringify((written ?? '').slice(0, 200))}…`
}

// Anthropic caches what comes before such a mark; the others cache by themselves and do not look at it.
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }

function withCacheMark(messages: ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) => {
    // The first stays where it is; providers look back from the last one only so far.
    return index === 0 || index === messages.length - 1 ? { ...message, providerOptions: cached } : message
  })
}
