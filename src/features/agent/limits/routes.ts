import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses } from '#infra/http/schema.ts'
import { changeLimits, getLimits, type LimitsDeps } from './limits.ts'
import { AgentLimits, AgentLimitsChange, LimitsParams } from './schema.ts'

const address = '/v1/projects/:projectId/agent-limits'
const tags = ['Projects']

export function limitRoutes(app: HttpApp, deps: LimitsDeps): void {
  app.get(
    address,
    {
      schema: {
        operationId: 'getAgentLimits',
        summary: 'Get the limits of a project’s agents',
        tags,
        params: LimitsParams,
        response: { 200: AgentLimits.describe('What holds, and why.'), ...errorResponses(404) },
      },
    },
    (request) => getLimits(deps, { ...request.params, by: request.caller }),
  )

  app.patch(
    address,
    {
      schema: {
        operationId: 'changeAgentLimits',
        summary: 'Change the limits of a project’s agents',
        description: 'A project can have lower limits than the server, and no higher ones. Running jobs keep theirs.',
        tags,
        params: LimitsParams,
        body: AgentLimitsChange,
        response: { 200: AgentLimits.describe('What holds now.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => changeLimits(deps, { ...request.params, change: request.body, by: request.caller }),
  )
}
