import { DocentError } from '#base/errors.ts'
import { type ModelProvider, modelIdFault } from '#base/model-id.ts'
import { type Config, environmentName, type SettingName } from '#infra/config/settings.ts'
import type { Model, OpenModel } from './model.ts'
import { toModelError } from './model-errors.ts'
import { fetchAsStream } from './plain-answers.ts'
import { wholeAnswers } from './whole-answers.ts'

/** What the models of a project can be, with the settings that each reads. */
export type ModelSettings = Pick<
  Config,
  | 'anthropicApiKey'
  | 'anthropicBaseUrl'
  | 'openaiApiKey'
  | 'openaiBaseUrl'
  | 'googleApiKey'
  | 'googleBaseUrl'
  | 'modelBaseUrl'
  | 'modelApiKey'
>

type OpenProvider = (settings: ModelSettings, name: string) => Promise<Model>

// Each is loaded when a job first needs it: together they take longer to load than the rest of the service to start.
const providers: Record<Exclude<ModelProvider, 'builtin'>, OpenProvider> = {
  async anthropic({ anthropicApiKey, anthropicBaseUrl }, name) {
    const apiKey = needed(anthropicApiKey, 'anthropicApiKey', `anthropic/${name}`)
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const { defaultSettingsMiddleware, wrapLanguageModel } = await import('ai')
    const model = createAnthropic({ apiKey, baseURL: address(anthropicBaseUrl, 'https://api.anthropic.com/v1') })(name)
    // Anthropic wants the most that may be said, and for models that it does not know yet the SDK says 4,096: too little
    // for a page. Where it knows them it lowers this to what they can.
    return wrapLanguageModel({
      model,
      middleware: defaultSettingsMiddleware({ settings: { maxOutputTokens: 32_000 } }),
    })
  },
  async openai({ openaiApiKey, openaiBaseUrl }, name) {
    const apiKey = needed(openaiApiKey, 'openaiApiKey', `openai/${name}`)
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey, baseURL: address(openaiBaseUrl, 'https://api.openai.com/v1') }).responses(name)
  },
  async google({ googleApiKey, googleBaseUrl }, name) {
    const apiKey = needed(googleApiKey, 'googleApiKey', `google/${name}`)
    const ownGoogle = 'https://generativelanguage.googleapis.com/v1beta'
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ apiKey, baseURL: address(googleBaseUrl, ownGoogle) })(name)
  },
  async 'openai-compatible'({ modelBaseUrl, modelApiKey }, name) {
    const baseURL = needed(modelBaseUrl, 'modelBaseUrl', `openai-compatible/${name}`)
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      // A server on one's own machine often has no key.
      ...(modelApiKey === undefined ? {} : { apiKey: modelApiKey }),
      includeUsage: true,
      fetch: fetchAsStream,
    })
    return provider.chatModel(name)
  },
}

export function createModels(settings: ModelSettings): OpenModel {
  const secrets = [settings.anthropicApiKey, settings.openaiApiKey, settings.googleApiKey, settings.modelApiKey]
  return async (modelId) => {
    const provider = modelId.split('/', 1)[0]!
    const open = Object.hasOwn(providers, provider) ? providers[provider as keyof typeof providers] : undefined
    const fault = modelIdFault(modelId)
    if (!open || fault !== null) {
      const message = `${modelId} is no model that can be asked: ${fault ?? 'it is built in'}.`
      throw new DocentError('invalid', 'model.unknown', message)
    }
    const model = await open(settings, modelId.slice(provider.length + 1))
    const { wrapLanguageModel } = await import('ai')
    const translate = (thrown: unknown) => toModelError(thrown, { modelId, secrets })
    return wrapLanguageModel({ model, middleware: wholeAnswers(translate) })
  }
}

function needed(value: string | undefined, setting: SettingName, modelId: string): string {
  if (value !== undefined) return value
  const message = `The model ${modelId} needs the setting ${setting}. Set ${environmentName(setting)}, or ${setting} in the settings file.`
  throw new DocentError('invalid', 'model.not_configured', message)
}

/**
 * Always said, as the SDK would look for it in the environment: a key must not go to an address that nobody set here. One
 * without a path gets the provider's, as its own tools take it so.
 */
function address(set: string | undefined, own: string): string {
  if (set === undefined) return own
  const url = new URL(set)
  if (url.pathname === '/') url.pathname = new URL(own).pathname
  return url.href
}
