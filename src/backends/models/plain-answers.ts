/**
 * `fetch` for servers that speak OpenAI's chat completions almost as documented. Some answer a request for a stream with
 * one plain object: it is given on as a stream of one piece. Some refuse `stream_options`: they are asked without. And
 * where the address was set without the `/v1` that most have, it is tried with it.
 */
export const fetchAsStream: typeof fetch = async (input, init) => {
  const url = new URL(String(input))
  let response = await fetch(url, init)
  if (response.status === 404 && url.pathname === '/chat/completions') {
    url.pathname = '/v1/chat/completions'
    response = await fetch(url, init)
  }
  if ((response.status === 400 || response.status === 422) && typeof init?.body === 'string') {
    const complaint = await response.clone().text()
    if (complaint.includes('stream_options')) {
      const { stream_options: _refused, ...body } = JSON.parse(init.body) as Record<string, unknown>
      response = await fetch(url, { ...init, body: JSON.stringify(body) })
    }
  }
  const isStream = /\bevent-stream\b/i.test(response.headers.get('content-type') ?? '')
  if (!response.ok || isStream) return response
  const text = await response.text()
  return text.trimStart().startsWith('{') ? asStream(JSON.parse(text) as PlainAnswer) : new Response(text, response)
}

interface PlainAnswer {
  choices?: { message?: { tool_calls?: object[] | null }; finish_reason?: string }[]
}

function asStream({ choices, ...rest }: PlainAnswer): Response {
  const chunk = {
    ...rest,
    ...(Array.isArray(choices) && {
      choices: choices.slice(0, 1).map(({ message, finish_reason }) => ({
        index: 0,
        delta: { ...message, tool_calls: message?.tool_calls?.map((call, index) => ({ ...call, index })) },
        finish_reason,
      })),
    }),
  }
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers })
}
