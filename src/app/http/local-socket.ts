import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { HttpApp } from '#infra/http/http-app.ts'
import { answerClientError } from './errors.ts'

// Which connections came through the socket file. Not a header or an address: those a caller could make up.
const localConnections = new WeakSet<Socket>()

/** Whether the request came through the socket in the data folder, which only this user can open. */
export function isLocal(request: FastifyRequest): boolean {
  return localConnections.has((request.raw as IncomingMessage).socket)
}

/** Serves the same routes on a unix socket of mode 0600, in a folder of mode 0700. The caller holds the folder's lock. */
export async function listenLocally(app: HttpApp, path: string): Promise<Server> {
  rmSync(path, { force: true })
  const server = createServer((request, response) => app.routing(request, response))
  server.on('connection', (socket) => localConnections.add(socket))
  server.on('clientError', answerClientError)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return server
}
