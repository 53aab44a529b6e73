import type { InjectOptions } from 'fastify'
import { compose, type Services } from '#app/compose.ts'
import { ensureFirstRun } from '#app/first-run.ts'
import { buildServer } from '#app/http/server.ts'
import { startWorker } from '#app/worker.ts'
import type { Clock } from '#base/clock.ts'
import { createLog } from '#base/log.ts'
import { createKey, createOrganization, type Scope, systemCaller } from '#features/accounts/service.ts'
import type { SettingName } from '#infra/config/settings.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import type { NameResolver } from '#infra/http-client/outbound-client.ts'
import { testAdminKey, testConfig } from './test-config.ts'
import { createTestDatabase } from './test-database.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes.
  body: any
  text: string
}

/** The whole service in this process, on a database of its own, called without a network. */
export interface TestApp {
  app: HttpApp
  services: Services
  /** Everything that was logged so far, a line each. */
  logged: string[]
  /** Calls with the admin key unless `key` says another, or null for none. */
  call(method: NonNullable<InjectOptions['method']>, url: string, options?: CallOptions): Promise<Answer>
  /** A second organization with a key of its own. */
  createOrganization(name: string, scopes?: Scope[]): Promise<{ id: string; key: string }>
  close(): Promise<void>
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
  remoteAddress?: string
}

export interface TestAppOptions {
  settings?: Partial<Record<SettingName, string | number | boolean>>
  clock?: Clock
  /** What names mean to the outbound client. By default none leads anywhere: tests call nobody on the internet. */
  resolveName?: NameResolver
  /** How vendors answer. By default only servers on this machine do. */
  fetch?: typeof globalThis.fetch
  /** Also take background work, as a node does. */
  worker?: boolean
}

const resolveNothing: NameResolver = async (hostname) => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
}

const fetchHere: typeof globalThis.fetch = async (input, init) => {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname === '127.0.0.1' || hostname === 'localhost') return await globalThis.fetch(input, init)
  throw new TypeError('fetch failed', { cause: await resolveNothing(hostname).catch((error) => error) })
}

export async function createTestApp({
  settings = {},
  clock,
  resolveName = resolveNothing,
  fetch = fetchHere,
  worker = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const config = testConfig({ logLevel: 'debug', ...database.settings, ...settings })
  const logged: string[] = []
  const log = createLog({ level: config.logLevel, format: 'json', destination: { write: (line) => logged.push(line) } })
  const services = await compose({ config, log, resolveName, fetch, ...(clock ? { clock } : {}) })
  await ensureFirstRun(services)
  const checks = { database: () => services.database.ping(), queue: () => services.queue.ping() }
  const app = await buildServer({ ...services, version: '0.0.0-test', checks, isStopping: () => false })
  await app.ready()
  if (worker) await startWorker(services)

  return {
    app,
    services,
    logged,
    async call(method, url, { key = testAdminKey, body, headers = {}, remoteAddress = '127.0.0.1' } = {}) {
      const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
      const response = await app.inject({
        method,
        url,
        remoteAddress,
        headers: { ...authorization, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      const isJson = String(response.headers['content-type']).startsWith('application/json')
      const parsed = isJson && response.payload !== '' ? JSON.parse(response.payload) : null
      return { status: response.statusCode, headers: response.headers, body: parsed, text: response.payload }
    },
    async createOrganization(name, scopes = ['read', 'write']) {
      const { id } = await createOrganization(services, { name })
      const input = { name: `key of ${name}`, scopes, allowedAddresses: [], expiresAt: null, by: systemCaller(id) }
      return { id, key: (await createKey(services, input)).key }
    },
    async close() {
      await app.close()
      await services.close({ timeoutMs: 2000 })
      await database.delete()
    },
  }
}
