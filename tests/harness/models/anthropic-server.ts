import { halves, inputText, type ModelServer, type Script, sendEvents, startModelServer } from './scripted-server.ts'

/** Anthropic's Messages API, streamed; give its `url` as the base URL. */
export async function startAnthropicServer(script: Script): Promise<ModelServer> {
  let ids = 0
  const server = await startModelServer(script, (response, reply, { body }) => {
    const { input, output } = reply.usage ?? { input: 100, output: 10 }
    const message = { id: `msg_${++ids}`, type: 'message', role: 'assistant', model: body.model, content: [] }
    const events: object[] = [
      { type: 'message_start', message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } },
      { type: 'ping' },
    ]
    let index = 0
    const block = (content_block: object, deltas: object[]) => {
      events.push({ type: 'content_block_start', index, content_block })
      for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
      events.push({ type: 'content_block_stop', index })
      index++
    }
    if (reply.reasoning !== undefined) {
      const deltas = halves(reply.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
      block({ type: 'thinking', thinking: '', signature: '' }, [
        ...deltas,
        { type: 'signature_delta', signature: 'signed' },
      ])
    }
    if (reply.text !== undefined) {
      block(
        { type: 'text', text: '' },
        halves(reply.text).map((text) => ({ type: 'text_delta', text })),
      )
    }
    for (const { name, input: given } of reply.calls ?? []) {
      const deltas = halves(inputText(given)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      block({ type: 'tool_use', id: `toolu_${++ids}`, name, input: {} }, deltas)
    }
    const stop_reason = reply.calls?.length ? 'tool_use' : 'end_turn'
    events.push({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output },
    })
    events.push({ type: 'message_stop' })
    sendEvents(response, events, { named: true })
  })
  return { ...server, url: `${server.url}/v1`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
