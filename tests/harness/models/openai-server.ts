import {
  halves,
  inputText,
  type ModelServer,
  type Reply,
  type Script,
  sendEvents,
  startModelServer,
} from './scripted-server.ts'

/** Chat completions as OpenAI documents them and many servers speak them; give its `url` as the base URL. */
export async function startOpenAiServer(script: Script): Promise<ModelServer> {
  const server = await startModelServer(script, (response, reply, { body }) => {
    const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: body.model }
    const toolCalls = (reply.calls ?? []).map(({ name, input }, index) => {
      // The same for the same conversation, whoever asks.
      return {
        id: `call_${body.messages.length}_${index}`,
        type: 'function',
        function: { name, arguments: inputText(input) },
      }
    })
    const usage = usageOf(reply)
    const finish_reason = finishReason(reply)
    if (body.stream !== true || reply.plain) {
      const message = {
        role: 'assistant',
        content: reply.text ?? null,
        reasoning_content: reply.reasoning,
        tool_calls: toolCalls,
      }
      const choices = [{ index: 0, message, finish_reason }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
      return
    }
    const deltas: object[] = [{ role: 'assistant' }]
    for (const piece of halves(reply.reasoning ?? '')) if (piece) deltas.push({ reasoning_content: piece })
    for (const piece of halves(reply.text ?? '')) if (piece) deltas.push({ content: piece })
    for (const [index, call] of toolCalls.entries()) {
      const [first, second] = halves(call.function.arguments)
      deltas.push({ tool_calls: [{ ...call, index, function: { ...call.function, arguments: first } }] })
      deltas.push({ tool_calls: [{ index, function: { arguments: second } }] })
    }
    const chunk = (fields: object) => ({ ...head, object: 'chat.completion.chunk', ...fields })
    const events = deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }))
    if (reply.breakOff) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(events[0])}\n\n`, () => response.destroy())
      return
    }
    events.push(chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }))
    if (body.stream_options?.include_usage) events.push(chunk({ choices: [], usage }))
    sendEvents(response, events, { end: 'data: [DONE]\n\n' })
  })
  return { ...server, url: `${server.url}/v1`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

function usageOf({ usage = { input: 100, output: 10 } }: Reply): object {
  const { input, output } = usage
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function finishReason({ finish, calls }: Reply): string {
  if (finish !== undefined) return finish === 'content-filter' ? 'content_filter' : finish
  return calls?.length ? 'tool_calls' : 'stop'
}
