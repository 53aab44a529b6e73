import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { PageRenderer } from '#features/content/service.ts'
import type { Edition } from '#features/site/edition/edition.ts'
import { handleSiteRequest } from '#features/site/serve/handle-site-request.ts'
import type { ServeDeps } from '#features/site/serve/serve-deps.ts'
import type { ServedSite } from '#features/site/serve/served-site.ts'
import { createShelf } from '#features/site/serve/shelf.ts'

export interface FolderServer {
  url: string
  /** Tells open pages to load again. */
  reload(): void
  close(): Promise<void>
}

export interface FolderServerInput {
  name: string
  edition(): Edition
  renderer: PageRenderer
  log: Log
  /** Null: 4410, or the next that is free. */
  port: number | null
}

const usualPort = 4410
const mostTries = 20
const mostBodyBytes = 64 * 1024
// A page that was told nothing for long asks again by itself; so does one whose server was started anew.
const retryMs = 500

/** Serves one site to browsers on this machine, and to nobody else. */
export async function startFolderServer(input: FolderServerInput): Promise<FolderServer> {
  const { name, edition, renderer, log } = input
  const app = Fastify({ bodyLimit: mostBodyBytes, forceCloseConnections: true })
  const deps: ServeDeps = { renderer, shelf: createShelf(), log, records: null }
  const open = new Set<FastifyReply>()
  let origin = ''

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => {
    // A page elsewhere can make its own name lead here, and would read what is not published.
    if (!isOwnName(request.headers.host)) await reply.code(403).type('text/plain').send('Open it as localhost.\n')
  })
  app.get('/_docent/reload', (request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    reply.raw.write(`retry: ${retryMs}\n\n`)
    open.add(reply)
    request.raw.on('close', () => open.delete(reply))
  })
  app.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: (request, reply) => answer(request, reply) })
  app.setErrorHandler(async (error, _request, reply) => {
    log.warn({ err: error }, 'preview.request_failed')
    const status = (error as { statusCode?: number }).statusCode ?? 500
    await reply.code(status).type('text/plain').send('This could not be shown; the terminal says why.\n')
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Joined, not resolved: two slashes would begin the name of another host.
    const url = new URL(`${origin}${request.url}`)
    const path = request.url.split('?')[0]!
    const site: ServedSite = {
      projectId: 'folder',
      name,
      edition: edition(),
      base: '',
      origin,
      kind: 'folder',
      editUrl: () => null,
    }
    const { method, headers, body: sent } = request
    const {
      status,
      headers: given,
      body,
    } = await handleSiteRequest(deps, site, {
      method,
      path,
      query: url.searchParams,
      headers,
      body: sent,
    })
    reply.code(status).headers(given)
    if (body === null || method === 'HEAD') return reply.send()
    return reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body))
  }

  origin = `http://localhost:${await listen(app, input.port)}`
  return {
    url: `${origin}/`,
    reload() {
      for (const reply of open) reply.raw.write('data: reload\n\n')
    },
    async close() {
      for (const reply of open) reply.raw.end()
      await app.close()
    },
  }
}

async function listen(app: ReturnType<typeof Fastify>, port: number | null): Promise<number> {
  for (let tried = port ?? usualPort; ; tried++) {
    try {
      await app.listen({ host: '127.0.0.1', port: tried })
      return (app.server.address() as AddressInfo).port
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isTaken && port === null && tried < usualPort + mostTries) continue
      const message = `Port ${tried} on this machine is ${isTaken ? 'taken' : 'not to be had'}. Name another with --port.`
      throw new DocentError('unavailable', 'server.cannot_listen', message, { cause: error })
    }
  }
}

function isOwnName(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '')
}
