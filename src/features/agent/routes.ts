import { Readable } from 'node:stream'
import { z } from 'zod'
import type { SourceDeps } from '#features/repositories/service.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import { getJobDiff } from './job-diff.ts'
import { streamEvents } from './job-events.ts'
import { limitRoutes } from './limits/routes.ts'
import {
  AgentJob,
  EventHeaders,
  IdempotencyHeaders,
  JobDiff,
  JobList,
  JobParams,
  JobQuery,
  ModelTest,
  NewJob,
  ProjectParams,
} from './schema.ts'
import * as agent from './service.ts'
import { type TestModelDeps, testModel } from './test-model.ts'

const tags = ['Agent jobs']

export type AgentRoutesDeps = agent.AgentDeps & SourceDeps & Omit<TestModelDeps, 'config'> & { isStopping(): boolean }

export function agentRoutes(app: HttpApp, deps: AgentRoutesDeps): void {
  limitRoutes(app, deps)

  app.post(
    '/v1/projects/:projectId/model/test',
    {
      schema: {
        operationId: 'testModel',
        summary: 'Try a project’s model',
        description: 'Asks the model for a word, as a job would ask it for more. Tells in words what went wrong.',
        tags: ['Projects'],
        params: ProjectParams,
        response: { 200: ModelTest.describe('How it went.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => testModel(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    '/v2/agent/:projectId/job',
    {
      schema: {
        operationId: 'createAgentJob',
        summary: 'Create an agent job',
        description:
          'The agent works in the background. When it has changed files, it opens a pull request and its address is in `prLink`.',
        tags,
        params: ProjectParams,
        headers: IdempotencyHeaders,
        body: NewJob,
        response: { 201: AgentJob.describe('The new job.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const idempotencyKey = request.headers['idempotency-key']
      const job = await agent.createJob(deps, { ...request.body, projectId, idempotencyKey, by: request.caller })
      return reply.code(201).send(job)
    },
  )

  app.get(
    '/v2/agent/:projectId/job/:id',
    {
      schema: {
        operationId: 'getAgentJob',
        summary: 'Get an agent job',
        tags,
        params: JobParams,
        response: { 200: AgentJob.describe('The job.'), ...errorResponses(404) },
      },
    },
    (request) => agent.getJob(deps, { ...request.params, by: request.caller }),
  )

  app.get(
    '/v2/agent/:projectId/job/:id/diff',
    {
      schema: {
        operationId: 'getAgentJobDiff',
        summary: 'Get what a job changed',
        description:
          'Every file that the job’s branch changes, from where the branch began to the job’s last commit. No files when nothing was changed, or not yet.',
        tags,
        params: JobParams,
        response: { 200: JobDiff.describe('The change.'), ...errorResponses(404) },
      },
    },
    (request) => getJobDiff(deps, { ...request.params, by: request.caller }),
  )

  app.get(
    '/v2/agent/:projectId/jobs',
    {
      schema: {
        operationId: 'listAgentJobs',
        summary: 'List agent jobs',
        description: 'The project’s jobs, newest first.',
        tags,
        params: ProjectParams,
        querystring: JobQuery,
        response: { 200: JobList.describe('A page of jobs.'), ...errorResponses(404) },
      },
    },
    (request) => {
      const { status, ...page } = request.query
      return agent.listJobs(deps, { projectId: request.params.projectId, status, page, by: request.caller })
    },
  )

  app.post(
    '/v2/agent/:projectId/job/:id/message',
    {
      schema: {
        operationId: 'sendAgentMessage',
        summary: 'Send a follow-up',
        description:
          'The agent goes on where it left off, on the same pull request if that is still open. While the job is active, the follow-up waits its turn.',
        tags,
        params: JobParams,
        headers: IdempotencyHeaders,
        body: NewJob,
        response: { 200: AgentJob.describe('The job, active again.'), ...bodyErrorResponses(404, 409) },
      },
    },
    (request) => {
      const idempotencyKey = request.headers['idempotency-key']
      return agent.sendMessage(deps, { ...request.body, ...request.params, idempotencyKey, by: request.caller })
    },
  )

  app.post(
    '/v2/agent/:projectId/job/:id/archive',
    {
      schema: {
        operationId: 'archiveAgentJob',
        summary: 'Archive an agent job',
        description: 'Stops the job if it is active. Its pull request, if there is one, stays as it is.',
        tags,
        params: JobParams,
        response: { 200: AgentJob.describe('The archived job.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => agent.archiveJob(deps, { ...request.params, by: request.caller }),
  )

  app.get(
    '/v2/agent/:projectId/job/:id/events',
    {
      schema: {
        operationId: 'watchAgentJob',
        summary: 'Watch an agent job',
        description:
          'Server-sent events from the first on, or after `Last-Event-ID`: what happened and what happens, until the job ends. 204 when it has ended and you have them all, which tells an EventSource to stop.',
        tags,
        params: JobParams,
        headers: EventHeaders,
        response: {
          200: {
            description: 'Events; the `data` of each is JSON with `at` and `text`.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
          204: NoContent,
          ...errorResponses(404),
        },
      },
    },
    async (request, reply) => {
      const { projectId, id } = request.params
      const after = request.headers['last-event-id']
      const job = await agent.getJob(deps, { projectId, id, by: request.caller })
      if (job.status !== 'active' && (await agent.hasAllEvents(deps, { projectId, id, after }))) {
        return reply.code(204).send(null)
      }
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      // A node that stops lets go of those who watch; they come back to another with their Last-Event-ID.
      const stopping = setInterval(() => deps.isStopping() && gone.abort(), 200).unref()
      const stream = Readable.from(streamEvents(deps, { jobId: id, projectId, after, signal: gone.signal }))
      stream.once('close', () => clearInterval(stopping))
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Proxies such as nginx would collect it otherwise.
        'x-accel-buffering': 'no',
      })
      return reply.send(stream as never)
    },
  )
}
