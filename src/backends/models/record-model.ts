import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model, ModelAnswer, ModelRequest } from './model.ts'

/** One line of a recording: a request as it differs from the one before it, and its answer. */
export interface RecordedExchange {
  request: {
    /** How many messages are those of the request before. */
    keep: number
    add: unknown[]
    /** Left out when they are those of the request before. */
    tools?: unknown
    toolChoice?: unknown
  }
  response: Pick<ModelAnswer, 'content' | 'finishReason' | 'usage'>
}

/** What a request says, without what differs from run to run or could hold a secret: headers, signals, keys. */
export interface RequestWords {
  messages: unknown[]
  tools: unknown
  toolChoice: unknown
}

/**
 * Writes each exchange with a model to `<folder>/<name>.jsonl`, for `createReplayModel`. A job that is taken over
 * goes on in the same file.
 */
export async function recordModel(model: Model, { folder, name }: { folder: string; name: string }): Promise<Model> {
  const { wrapLanguageModel } = await import('ai')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}.jsonl`)
  let before: RequestWords = { messages: [], tools: [], toolChoice: null }
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapGenerate({ doGenerate, params }) {
        const answer = await doGenerate()
        const words = wordsOf(params)
        const { content, finishReason, usage } = answer
        const exchange: RecordedExchange = {
          request: difference(before, words),
          response: {
            content,
            finishReason,
            usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
          },
        }
        await appendFile(file, `${JSON.stringify(exchange)}\n`)
        before = words
        return answer
      },
    },
  })
}

export function wordsOf({ prompt, tools, toolChoice }: ModelRequest): RequestWords {
  // Through JSON, so that what was read from a file compares with what was not.
  return JSON.parse(
    JSON.stringify({ messages: prompt, tools: tools ?? [], toolChoice: toolChoice ?? null }, withoutMarks),
  )
}

/** The mark for caches moves along with the last message and says nothing. */
function withoutMarks(key: string, value: unknown): unknown {
  const isMark =
    key === 'providerOptions' && /^\{"anthropic":\{"cacheControl":\{[^}]*\}\}\}$/.test(JSON.stringify(value))
  return isMark ? undefined : value
}

function difference(before: RequestWords, now: RequestWords): RecordedExchange['request'] {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const differs = now.messages.findIndex((message, index) => !same(message, before.messages[index]))
  const keep = differs === -1 ? now.messages.length : differs
  return {
    keep,
    add: now.messages.slice(keep),
    ...(same(before.tools, now.tools) ? {} : { tools: now.tools }),
    ...(same(before.toolChoice, now.toolChoice) ? {} : { toolChoice: now.toolChoice }),
  }
}
