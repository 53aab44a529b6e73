import type { wrapLanguageModel } from 'ai'

/** A language model of the AI SDK, whatever company runs it. */
export type Model = ReturnType<typeof wrapLanguageModel>

export type ModelRequest = Parameters<Model['doGenerate']>[0]
export type ModelAnswer = Awaited<ReturnType<Model['doGenerate']>>

/**
 * The model of an id such as `anthropic/claude-…`. Loads its provider when first asked. Throws `invalid` with
 * `model.not_configured` when a setting is missing. What the model itself throws is a `DocentError`: see model-errors.ts.
 */
export type OpenModel = (modelId: string) => Promise<Model>
