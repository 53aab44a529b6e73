import { type ModelServer, type Script, sendEvents, startModelServer } from './scripted-server.ts'

/** Google's Gemini API, `streamGenerateContent`; give its `url` as the base URL. */
export async function startGoogleServer(script: Script): Promise<ModelServer> {
  const server = await startModelServer(script, (response, reply) => {
    const parts: object[] = []
    if (reply.reasoning !== undefined) parts.push({ text: reply.reasoning, thought: true })
    if (reply.text !== undefined) parts.push({ text: reply.text })
    for (const { name, input } of reply.calls ?? []) {
      parts.push({ functionCall: { name, args: input }, thoughtSignature: 'signed' })
    }
    const { input, output } = reply.usage ?? { input: 100, output: 10 }
    const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
    const events = parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] }))
    const last = {
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
    }
    sendEvents(response, [...events, last])
  })
  return { ...server, url: `${server.url}/v1beta`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
