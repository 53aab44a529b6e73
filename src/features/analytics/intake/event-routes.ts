import { validatorCompiler } from 'fastify-type-provider-zod'
import { projectNotFound } from '#features/projects/service.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { EventBatch, EventParams, EventsTaken } from './event-schema.ts'
import { readEvents } from './read-events.ts'

// 5,000 events with long user agents and addresses.
const mostBodyBytes = 8 * 1024 * 1024

export function eventRoutes(app: HttpApp, deps: Pick<AnalyticsDeps, 'intake' | 'clock'>): void {
  const { intake, clock } = deps
  app.post(
    '/v1/analytics/:projectId/events',
    {
      bodyLimit: mostBodyBytes,
      // `readEvents` checks the body, many times faster than its schema would.
      validatorCompiler: (route) =>
        route.httpPart === 'body' ? (value: unknown) => ({ value }) : validatorCompiler(route as never),
      schema: {
        operationId: 'sendEvents',
        summary: 'Send views of pages',
        description:
          'For servers that see who reads: up to 5,000 views a call. When the answer comes they are durable. If one is malformed none is kept; those that are no views of a page are skipped and counted.',
        tags: ['Analytics'],
        params: EventParams,
        body: EventBatch,
        response: { 202: EventsTaken.describe('What was taken.'), ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const project = await intake.findProject(projectId)
      if (project?.organizationId !== request.caller.organizationId) throw projectNotFound()
      const hits = readEvents(request.body, clock.now().getTime())
      return reply.code(202).send(await intake.record(projectId, hits))
    },
  )
}
