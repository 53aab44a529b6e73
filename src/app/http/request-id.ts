import type { IncomingMessage } from 'node:http'
import { randomBase62 } from '#base/ids.ts'

export function newRequestId(): string {
  return `req_${randomBase62(20)}`
}

/** The caller's own id, so that one id runs through a chain of services, if it is harmless; else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : newRequestId()
}
