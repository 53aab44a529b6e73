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
  app.get(
    '/healthz',
    {
      config: probe,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the process is up',
        tags: ['Operations'],
        security: [],
        response: { 200: z.object({ status: z.literal('ok') }) },
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
          200: z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.literal('ok')) }),
          503: ErrorBody.describe('Something does not answer, or the node is stopping.'),
        },
      },
    },
    async (request) => {
      if (isStopping()) throw new DocentError('unavailable', 'server.stopping', 'This node is stopping.')
      const names = Object.keys(checks)
      const results = await Promise.allSettled(names.map((name) => withTimeout(checks[name]!())))
      const failing = names.filter((_, index) => results[index]!.status === 'rejected')
      if (failing.length === 0) return { status: 'ready' as const, checks: Object.fromEntries(names.map((name) => [name, 'ok' as const])) }
      for (const [index, result] of results.entries()) {
        // The reason names hosts and users: it is for the log, not for whoever probes.
        if (result.status === 'rejected') request.log.warn({ check: names[index], reason: messageOf(result.reason) }, 'health.failing')
      }
      throw new DocentError('unavailable', 'server.not_ready', `Not answering: ${failing.join(', ')}.`, { retryAfterSeconds: 5 })
    },
  )
}

async function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${checkTimeoutMs} ms`)), checkTimeoutMs)
  })
  await Promise.race([check, late]).finally(() => clearTimeout(timer))
}
