import type { LanguageModelMiddleware } from 'ai'
import type { Model, ModelAnswer } from './model.ts'

type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never
type Content = ModelAnswer['content'][number]
type Block = Extract<Content, { type: 'text' | 'reasoning' }>

/**
 * Asks by streaming and answers in one piece. A page can take a model longer to write than the five minutes for which
 * Node waits for the first byte of an answer, and proxies wait for less; a stream begins at once. `translate` makes
 * what goes wrong a DocentError.
 */
export function wholeAnswers(translate: (thrown: unknown) => unknown): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doStream, params }) {
      try {
        const { stream, request } = await doStream()
        return { ...(await collect(stream)), ...(request === undefined ? {} : { request }) }
      } catch (thrown) {
        // Whoever stopped it knows why: that is no fault of the model.
        params.abortSignal?.throwIfAborted()
        throw translate(thrown)
      }
    },
  }
}

async function collect(stream: ReadableStream<Part>): Promise<ModelAnswer> {
  const content: Content[] = []
  const open = new Map<string, Block>()
  let warnings: ModelAnswer['warnings'] = []
  let finish: Extract<Part, { type: 'finish' }> | null = null
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const block: Block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
        content.push(block)
        open.set(`${block.type} ${part.id}`, block)
        addMetadata(block, part)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = open.get(`${part.type === 'text-delta' ? 'text' : 'reasoning'} ${part.id}`)
        if (block) block.text += part.delta
        if (block) addMetadata(block, part)
        break
      }
      case 'text-end':
      case 'reasoning-end': {
        // Signatures that the provider wants back come last.
        const block = open.get(`${part.type === 'text-end' ? 'text' : 'reasoning'} ${part.id}`)
        if (block) addMetadata(block, part)
        break
      }
      case 'tool-call':
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        content.push(part)
        break
      case 'stream-start':
        warnings = part.warnings
        break
      case 'finish':
        finish = part
        break
      case 'error':
        throw part.error
    }
  }
  if (finish === null) throw new TypeError('terminated: the answer ended before it was complete')
  return {
    content,
    finishReason: finish.finishReason,
    usage: finish.usage,
    warnings,
    ...(finish.providerMetadata === undefined ? {} : { providerMetadata: finish.providerMetadata }),
  }
}

function addMetadata(block: Block, { providerMetadata }: { providerMetadata?: Block['providerMetadata'] }): void {
  if (providerMetadata === undefined) return
  const merged = { ...block.providerMetadata }
  for (const [provider, metadata] of Object.entries(providerMetadata)) {
    merged[provider] = { ...merged[provider], ...metadata }
  }
  block.providerMetadata = merged
}
