import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses } from '#infra/http/schema.ts'
import { addSampleTraffic, removeSampleTraffic, type SampleDeps } from './sample-traffic.ts'
import { SampleAdded, SampleParams, SampleRemoved } from './schema.ts'

export function sampleRoutes(app: HttpApp, deps: SampleDeps): void {
  app.post(
    '/v1/projects/:projectId/sample-traffic',
    {
      schema: {
        operationId: 'addSampleTraffic',
        summary: 'Add sample traffic to the demo project',
        description:
          'Adds 30 days of made-up views, by people and by AI clients, of the demo project’s own pages, so that reports have something to show. Repeated, they count once. Only the demo project takes them.',
        tags: ['Analytics'],
        params: SampleParams,
        response: { 200: SampleAdded.describe('What is there now.'), ...bodyErrorResponses(404, 409) },
      },
    },
    (request) => addSampleTraffic(deps, { projectId: request.params.projectId, by: request.caller }),
  )

  app.delete(
    '/v1/projects/:projectId/sample-traffic',
    {
      schema: {
        operationId: 'removeSampleTraffic',
        summary: 'Remove sample traffic from the demo project',
        description: 'Deletes the made-up views, and leaves those of real readers.',
        tags: ['Analytics'],
        params: SampleParams,
        response: { 200: SampleRemoved.describe('What was deleted.'), ...bodyErrorResponses(404, 409) },
      },
    },
    (request) => removeSampleTraffic(deps, { projectId: request.params.projectId, by: request.caller }),
  )
}
