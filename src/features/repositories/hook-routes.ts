import { DocentError } from '#base/errors.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses } from '#infra/http/schema.ts'
import { rotatePushHook, takeHookCall } from './push-hooks.ts'
import { HookParams, PushHook, PushHookParams } from './schema.ts'
import type { RepositoriesDeps } from './service.ts'

// GitHub sends no more than 25 MB, which it documents; GitLab's push events are far smaller.
const mostBodyBytes = 25 * 1024 * 1024
// Whoever calls has not shown a key: so many large bodies are in memory at a time, and no more.
const largeBytes = 1024 * 1024
const mostLargeBodies = 4

export function hookRoutes(app: HttpApp, deps: RepositoriesDeps): void {
  app.post(
    '/v1/projects/:projectId/push-hook',
    {
      schema: {
        operationId: 'rotatePushHook',
        summary: 'Make a webhook secret for pushes',
        description:
          'Lets the code host tell Docent about pushes. Give the host the URL of its kind, the secret, and the content type `application/json`. Each call makes a new secret and ends the one before.',
        tags: ['Projects'],
        params: PushHookParams,
        response: {
          201: PushHook.describe('Where to send push events, and what to sign them with.'),
          ...bodyErrorResponses(404),
        },
      },
    },
    async (request, reply) => {
      const hook = await rotatePushHook(deps, { projectId: request.params.projectId, by: request.caller })
      return reply.code(201).send(hook)
    },
  )

  app.register(async (instance) => {
    const scope = instance as unknown as HttpApp
    let largeBodies = 0
    scope.removeAllContentTypeParsers()
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    }
    scope.addHook('onRequest', async ({ headers }, reply) => {
      const length = headers['content-length']
      if (length !== undefined && Number(length) <= largeBytes) return
      if (largeBodies >= mostLargeBodies) {
        const message = 'Too many large requests at a time. Try again in a moment.'
        throw new DocentError('unavailable', 'server.hooks_busy', message, { retryAfterSeconds: 10 })
      }
      largeBodies++
      reply.raw.once('close', () => largeBodies--)
    })
    // Not in the description of the API: who calls it are code hosts, in their own words.
    scope.post(
      '/v1/hooks/:projectId/:vendor',
      { bodyLimit: mostBodyBytes, config: { public: true }, schema: { hide: true, params: HookParams } },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { isTaken } = await takeHookCall(deps, { ...request.params, headers: request.headers, body })
        return reply.code(isTaken ? 202 : 204).send()
      },
    )
  })
}
