import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'
import type { HttpApp } from '#infra/http/http-app.ts'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Docent API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The same description as JSON: <a href="/openapi.json">/openapi.json</a></noscript>
<div id="reference"></div>
<script src="/reference/scalar.js"></script>
<script src="/reference/start.js"></script>
</body>
</html>
`

// Everything of Scalar that would reach for another host, or offer to, is off.
const start = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
`

// Scalar writes its styles into the page, which is why they alone may be inline.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A readable reference of the API, made in the reader's browser from /openapi.json. */
export function referenceRoutes(app: HttpApp): void {
  const hidden = { config: { public: true }, schema: { hide: true } }
  let script: Promise<{ plain: string; gzipped: Buffer }> | undefined

  app.get('/reference', hidden, async (_request, reply) =>
    reply.header('content-security-policy', contentSecurityPolicy).type('text/html; charset=utf-8').send(page),
  )
  app.get('/reference/start.js', hidden, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(start),
  )
  app.get('/reference/scalar.js', hidden, async (request, reply) => {
    script ??= loadScalar()
    const { plain, gzipped } = await script
    reply
      .type('text/javascript; charset=utf-8')
      .header('vary', 'accept-encoding')
      .header('cache-control', 'public, max-age=86400')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  })
}

/**
 * Scalar's script is 4 MB inside a Fastify plugin. It is loaded when somebody first opens the page, so that it costs
 * the start and an idle server nothing; a server of its own is the plugin's public way to hand it out.
 */
async function loadScalar(): Promise<{ plain: string; gzipped: Buffer }> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const holder = Fastify()
  await holder.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { body: plain } = await holder.inject('/reference/js/scalar.js')
  await holder.close()
  return { plain, gzipped: await promisify(gzip)(plain) }
}
