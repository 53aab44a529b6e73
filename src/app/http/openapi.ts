import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { HttpApp } from '#infra/http/http-app.ts'

/** Registered before the routes: it collects their schemas as they are added. */
export async function addOpenApi(
  app: HttpApp,
  { version, baseUrl }: { version: string; baseUrl: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent API',
        version,
        description:
          'Hosts documentation from git, runs agents that open pull requests, and counts people and AI clients.',
      },
      servers: [{ url: baseUrl }],
      // In the order in which a new user meets them.
      tags: [
        { name: 'Projects', description: 'Documentation sites and the repositories they come from.' },
        { name: 'Sites', description: 'What readers see: deployments, previews and domains.' },
        { name: 'Agent jobs', description: 'Prompts that become pull requests.' },
        { name: 'Analytics', description: 'Who reads the docs: people and AI clients, counted exactly.' },
        { name: 'Webhooks', description: 'Where a project’s events are sent.' },
        { name: 'Keys', description: 'Admin API keys of your organization.' },
        { name: 'Accounts', description: 'The people of your organization, and how they sign in.' },
        { name: 'Audit', description: 'Who did what.' },
        { name: 'Operations', description: 'For whoever runs the server.' },
      ],
      components: {
        securitySchemes: {
          adminKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An admin API key: `docent_…`. Keep it on servers.',
          },
        },
      },
      security: [{ adminKey: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (input) => withoutSafeBounds(withoutUnused(jsonSchemaTransformObject(input))),
  })

  app.get('/openapi.json', { config: { public: true }, schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(app.swagger()),
  )
}

/** Each named schema arrives in two forms, for input and for output, used or not; only what a route refers to stays. */
function withoutUnused(document: ReturnType<typeof jsonSchemaTransformObject>): typeof document {
  const { components, paths } = document as { components: { schemas: Record<string, unknown> }; paths: unknown }
  const { schemas } = components
  const used = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(paths)
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
  return { ...document, components: { ...components, schemas: kept } } as typeof document
}

/** Zod bounds whole numbers by what JavaScript can hold, which a reader would be shown as an example of a count. */
function withoutSafeBounds<T>(document: T): T {
  const isBound = (key: string, value: unknown) =>
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  return JSON.parse(JSON.stringify(document, (key, value) => (isBound(key, value) ? undefined : value)))
}
