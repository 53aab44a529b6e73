import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'

/** The server as features see it: routes on it take their types from their zod schemas. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers callers without a key. Deny by default. */
    public?: boolean
    /** Whether requests count against the caller's limit; probes do not. */
    unlimited?: boolean
    /**
     * What readers of sites ask for: logged at debug and, where it is public, not counted by address, as many people
     * may read from one. What costs more than a finished page has limits of its own.
     */
    reader?: boolean
    /** Whether callers on this machine need no key; all others do. */
    openHere?: boolean
    /** Only for the local socket: the operator of this machine. */
    localOnly?: boolean
    /** Whether the key may come as the password of HTTP Basic, which git and browsers ask people for. */
    basicAuth?: boolean
    /**
     * A page that people at this machine may read without a key, under one of its loopback names; `request.caller` is
     * null then. All others need a key.
     */
    readableHere?: boolean
    /** The scope that the route needs, where its method does not tell. */
    scope?: 'read' | 'write'
    /** How long the body may take to arrive, where the server's time is too short. */
    bodyTimeoutMs?: number
  }
}
