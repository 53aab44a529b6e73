/** Model providers by the prefix of a model's id: `anthropic/claude-…`, `openai-compatible/llama`. */
const modelProviders = ['builtin', 'anthropic', 'openai', 'google', 'openai-compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

/** The deterministic editor that needs no account; see docs/glossary.md. */
export const builtinModel = 'builtin/editor'

/** What is wrong with a model id, as a sentence, or null when it is fine. */
export function modelIdFault(id: string): string | null {
  const [provider = '', ...rest] = id.split('/')
  if (provider === 'builtin') return id === builtinModel ? null : `the only builtin model is ${builtinModel}`
  const known = (modelProviders as readonly string[]).includes(provider)
  if (known && rest.join('/').length > 0 && id.length <= 200 && /^[\x21-\x7e]+$/.test(id)) return null
  return `expected <provider>/<model> with one of the providers ${modelProviders.join(', ')}`
}
