import { DocentError } from '#base/errors.ts'
import type { Model } from './model.ts'
import { type RecordedExchange, type RequestWords, wordsOf } from './record-model.ts'

/**
 * A model that answers from a recording. Throws `conflict` with the first difference when it is asked something else
 * than was recorded: a changed prompt, tool or tool result shows as a failing test. With `anyRequest` it answers in turn
 * whatever it is asked, for recording the same conversation anew.
 */
export function createReplayModel(recording: string, { anyRequest = false } = {}): Model {
  const exchanges = recording
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as RecordedExchange)
  let next = 0
  let expected: RequestWords = { messages: [], tools: [], toolChoice: null }

  const doGenerate: Model['doGenerate'] = async (request) => {
    const exchange = exchanges[next]
    if (!exchange) throw differs(next, `the recording ends after ${exchanges.length} requests`)
    const { keep, add, tools, toolChoice } = exchange.request
    expected = {
      messages: [...expected.messages.slice(0, keep), ...add],
      tools: tools ?? expected.tools,
      toolChoice: toolChoice === undefined ? expected.toolChoice : toolChoice,
    }
    const difference = anyRequest ? null : firstDifference(expected, wordsOf(request), '')
    if (difference !== null) throw differs(next, difference)
    next++
    return { ...exchange.response, warnings: [] }
  }
  return {
    specificationVersion: 'v4',
    provider: 'replay',
    modelId: 'replay',
    supportedUrls: {},
    doGenerate,
    doStream() {
      throw new DocentError('unsupported', 'replay.no_stream', 'A recording answers whole, not as a stream.')
    },
  }
}

function differs(index: number, what: string): DocentError {
  const message = `Request ${index + 1} is not the one that was recorded: ${what}\nIf the change is meant, record anew with DOCENT_RECORD=<folder>: run the job again, or this test for the same answers; then put the .jsonl file in place of this one.`
  return new DocentError('conflict', 'replay.differs', message)
}

/** Where two values first differ, and how: `messages[2].content[0].text: recorded "…", now "…"`. */
function firstDifference(recorded: unknown, now: unknown, at: string): string | null {
  if (recorded === now) return null
  if (typeof recorded === 'string' && typeof now === 'string') return textDifference(recorded, now, at)
  if (typeof recorded !== 'object' || typeof now !== 'object' || recorded === null || now === null) {
    return `${at}: recorded ${show(recorded)}, now ${show(now)}`
  }
  const names = new Set([...Object.keys(recorded), ...Object.keys(now)])
  for (const name of names) {
    const path = Array.isArray(recorded) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`
    const [a, b] = [recorded, now].map((value) => (value as Record<string, unknown>)[name])
    const difference = firstDifference(a, b, path)
    if (difference !== null) return difference
  }
  return null
}

function textDifference(recorded: string, now: string, at: string): string {
  let index = 0
  while (index < recorded.length && recorded[index] === now[index]) index++
  const start = Math.max(0, index - 40)
  return `${at}, character ${index}: recorded ${show(recorded.slice(start, index + 80))}, now ${show(now.slice(start, index + 80))}`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
