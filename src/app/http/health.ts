import { z } from 'zod'
import { DocentError, messageOf } from '#base/errors.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { ErrorBody } from '#infra/http/schema.ts'

const checkTimeoutMs = 2_000

export interface HealthDeps {
  /** What must answer before this node takes traffic, by name. */
  checks: Record<string, () => Promise<void>>
  /** Whether the node is on its way out. */
  isStopping(): boolean
}

const probe = { public: true, unlimited: true }

export function healthRoutes(app: HttpApp, { checks, isStopping }: HealthDeps): void {
  // Probes have no limit: however many come at once, the database is asked once.
  let running: Promise<string[]> | null = null
  const findFailing = async () => {
    running ??= runChecks(checks, app.log).finally(() => {
      running = null
    })
    return await running
  }

  app.get(
    '/healthz',
    {
      config: probe,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the process is up',
        tags: ['Operations'],
        security: [],
        response: { 200: z.object({ status: z.literal('ok') }).describe('It is.') },
      },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      config: probe,
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether this node can take traffic',
        tags: ['Operations'],
        security: [],
        response: {
          200: z
            .object({ status: z.literal('ready'), checks: z.record(z.string(), z.literal('ok')) })
            .describe('It can: everything it needs answers.'),
          503: ErrorBody.describe('Something does not answer, or the node is stopping.'),
        },
      },
    },
    async () => {
      if (isStopping()) {
        throw new DocentError('unavailable', 'server.stopping', 'This node is stopping.', { retryAfterSeconds: 5 })
      }
      const failing = await findFailing()
      if (failing.length > 0) {
        const message = `Not answering: ${failing.join(', ')}.`
        throw new DocentError('unavailable', 'server.not_ready', message, { retryAfterSeconds: 5 })
      }
      const passed = Object.keys(checks).map((name) => [name, 'ok' as const])
      return { status: 'ready' as const, checks: Object.fromEntries(passed) }
    },
  )
}

/** The names of the checks that fail. */
async function runChecks(checks: HealthDeps['checks'], log: HttpApp['log']): Promise<string[]> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withTimeout(check())
        return null
      } catch (error) {
        // The reason names hosts and users: it is for the log, not for whoever probes.
        log.warn({ check: name, reason: messageOf(error) }, 'health.failing')
        return name
      }
    }),
  )
  return results.filter((name) => name !== null)
}

async function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${checkTimeoutMs} ms`)), checkTimeoutMs)
  })
  await Promise.race([check, late]).finally(() => clearTimeout(timer))
}
