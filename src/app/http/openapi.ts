import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { HttpApp } from '#infra/http/http-app.ts'

/** Registered before the routes: it collects their schemas as they are added. */
export async function addOpenApi(app: HttpApp, { version, baseUrl }: { version: string; baseUrl: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent API',
        version,
        description: 'Hosts documentation from git, runs agents that open pull requests, and counts people and AI clients.',
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          adminKey: { type: 'http', scheme: 'bearer', description: 'An admin API key: `docent_…`. Keep it on servers.' },
        },
      },
      security: [{ adminKey: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })

  app.get('/openapi.json', { config: { public: true }, schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(app.swagger()),
  )
}
