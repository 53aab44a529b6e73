import type { OpenModel } from '#backends/models/model.ts'
import { toDocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { builtinModel } from '#base/model-id.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Db } from '#infra/db/schema.ts'
import type { ModelTest } from './schema.ts'

export interface TestModelDeps {
  db: Db
  config: Pick<Config, 'baseUrl' | 'model'>
  openModel: OpenModel
  log: Log
}

// Somebody waits for it. A server that loads a model for the first time may take longer, and then says so.
const timeoutMs = 20_000

/** Asks the project's model for a word. Throws only where there is no such project. */
export async function testModel(
  deps: TestModelDeps,
  { projectId, by }: { projectId: string; by: Caller },
): Promise<ModelTest> {
  const { model } = await getProject(deps, { id: projectId, by })
  if (model === builtinModel) {
    const message = 'The built-in editor runs inside Docent: it needs no key and no server.'
    return { ok: true, model, milliseconds: 0, message }
  }
  const startedAt = performance.now()
  const result = (ok: boolean, message: string): ModelTest => {
    return { ok, model, milliseconds: Math.round(performance.now() - startedAt), message }
  }
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const said = await ask(await deps.openModel(model), deadline)
    return said === ''
      ? result(true, `${model} answered, without any words. A model that thinks long may do so here.`)
      : result(true, `${model} answered.`)
  } catch (thrown) {
    if (deadline.aborted) return result(false, `${model} did not answer within ${timeoutMs / 1000} s.`)
    const error = toDocentError(thrown)
    if (error.kind !== 'internal') return result(false, error.message)
    deps.log.warn({ projectId, model, err: thrown }, 'agent.model_test_failed')
    return result(false, `Asking ${model} failed in a way that is not known. The server’s log says more.`)
  }
}

async function ask(model: Awaited<ReturnType<OpenModel>>, abortSignal: AbortSignal): Promise<string> {
  const { generateText } = await import('ai')
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { text } = await generateText({
    model,
    prompt: 'Answer with the one word: ready',
    // Room for a model that thinks before it speaks; one that does not says a word and stops.
    maxOutputTokens: 256,
    maxRetries: 0,
    abortSignal,
    providerOptions: { openai: { store: false } },
  })
  return text.trim()
}
