import { halves, inputText, type ModelServer, type Script, sendEvents, startModelServer } from './scripted-server.ts'

/** OpenAI's Responses API, streamed; give its `url` as the base URL. */
export async function startOpenAiResponsesServer(script: Script): Promise<ModelServer> {
  let ids = 0
  const server = await startModelServer(script, (response, reply, { body }) => {
    const head = { id: `resp_${++ids}`, created_at: 1_700_000_000, model: body.model }
    const events: object[] = [{ type: 'response.created', response: head }]
    let output_index = 0
    if (reply.reasoning !== undefined) {
      const item = { type: 'reasoning', id: `rs_${++ids}`, summary: [], encrypted_content: `sealed ${reply.reasoning}` }
      events.push({ type: 'response.output_item.added', output_index, item })
      events.push({ type: 'response.output_item.done', output_index, item })
      output_index++
    }
    if (reply.text !== undefined) {
      const item = { type: 'message', id: `msg_${++ids}`, role: 'assistant', status: 'in_progress', content: [] }
      events.push({ type: 'response.output_item.added', output_index, item })
      for (const delta of halves(reply.text)) {
        events.push({ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta })
      }
      events.push({ type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } })
      output_index++
    }
    for (const { name, input } of reply.calls ?? []) {
      const item = {
        type: 'function_call',
        id: `fc_${++ids}`,
        call_id: `call_${ids}`,
        name,
        arguments: '',
        status: 'in_progress',
      }
      events.push({ type: 'response.output_item.added', output_index, item })
      for (const delta of halves(inputText(input))) {
        events.push({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta })
      }
      const done = { ...item, arguments: inputText(input), status: 'completed' }
      events.push({ type: 'response.output_item.done', output_index, item: done })
      output_index++
    }
    const { input, output } = reply.usage ?? { input: 100, output: 10 }
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
    events.push({ type: 'response.completed', response: { ...head, status: 'completed', usage } })
    sendEvents(response, events, { named: true })
  })
  return { ...server, url: `${server.url}/v1`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
