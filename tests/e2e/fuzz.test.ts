// Runs on PGlite alone: it is about what requests are let in; PGlite is PostgreSQL, and what differs is tested on both elsewhere.
import { Agent, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startWorker } from '#app/worker.ts'
import { conforming, hostileText, type JsonSchema, spoiled, withoutRefs } from '#tests/harness/schema-arbitrary.ts'
import { createTestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

/**
 * Calls every operation of /openapi.json, over a socket, with what its schema allows and with what it does not, and holds
 * each answer against what the document says. A failure prints the seed; DOCENT_TEST_SEED runs with another.
 */
const seed = Number(process.env.DOCENT_TEST_SEED ?? 20_260_401)
/** What one test may take, however many calls it has left: the suite must end on a slow machine too. */
const mostMs = 600
const conformingRuns = 40
/** Of calls whose things are all there, when none of those before had an answer that is no refusal. */
const fittingRuns = 100
const hostileRuns = 80
// Bodies have the most places to be wrong in.
const hostileBodyRuns = 200

/**
 * What no schema can say: columns of equal length whose numbers lead into each other, and what is there only after such a
 * call; a branch that the repository has; a domain by its name; which project is the demo. Tests of those features have the calls that succeed.
 */
const neverFitting = new Set([
  'importViews',
  'getImport',
  'createPreview',
  'removeSiteDomain',
  // A deployment that stands and is not the live one, while nothing else is being published.
  'restoreDeployment',
  'addSampleTraffic',
  'removeSampleTraffic',
  // The token of a link, a password, a member, a session where the caller has a key.
  ...['setUp', 'signIn', 'lookUpInvitation', 'acceptInvitation', 'choosePassword'],
  ...['listSessions', 'revokeSession', 'changeAccount', 'changeMember', 'removeMember', 'createPasswordLink'],
])

/** Makes what a call needs in a state that earlier calls may have left nothing in, as the only such thing known. */
const prepared: Record<string, () => Promise<void>> = {
  async retryWebhookDelivery() {
    const project = await it.call('POST', '/v1/projects', { body: { name: 'Prepared' } })
    const webhooks = `/v1/projects/${project.body.id}/webhooks`
    const webhook = await it.call('POST', webhooks, { body: { url: 'https://hooks.example.com/' } })
    const delivery = await it.call('POST', `${webhooks}/${webhook.body.id}/test`)
    const parents = { projectId: project.body.id, webhookId: webhook.body.id }
    const collection = '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries'
    things.set(collection, [{ id: delivery.body.id, parents }])
  },
}

interface Operation {
  name: string
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; schema: JsonSchema }[]
  body: JsonSchema | undefined
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

interface Call {
  parameters: Record<string, Known | string>
  query: string
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
}

interface Thing {
  id: string
  /** What stood in the path of its collection: whose it is. */
  parents: Record<string, string>
}

/** A thing that an earlier answer told the id of, chosen when the call is made. */
interface Known {
  known: number
}

// At once, or the retries of hosts that do not answer would take most of the time.
const it = await createTestApp({ fetch: async () => new Response('{}', { status: 404 }) })
await startWorker(it.services)
afterAll(() => it.close())
const document = (await it.call('GET', '/openapi.json', { key: null })).body
const operations = operationsOf(document)
const json = { 'content-type': 'application/json' }

/** Things of answers, by the path of the collection they are in. Not those that were there before: one is our own key. */
const things = new Map<string, Thing[]>()
const untouchable = new Set<string>()
/** How often each operation answered with which status. */
const answered = new Map<string, Map<number, number>>()

let port = 0
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
beforeAll(async () => {
  await it.app.listen({ host: '127.0.0.1', port: 0 })
  port = (it.app.server.address() as AddressInfo).port
  for (const key of (await it.call('GET', '/v1/keys')).body.keys) untouchable.add(key.id)
})
afterAll(() => agent.destroy())

test('the document has operations to try', () => {
  expect(operations.length).toBeGreaterThan(10)
})

describe.each(operations)('$name', (operation) => {
  test('answers what its schema allows as the document says', async () => {
    await tryMany(conformingCall(operation), conformingRuns, (call) => check(operation, call))
    if (neverFitting.has(operation.name)) return
    const statuses = () => [...(answered.get(operation.name)?.keys() ?? [])]
    const hasFit = () => statuses().some((status) => status < 300)
    // Few calls are made on a busy machine, and what is there may be in no state for one.
    if (!hasFit()) {
      await prepared[operation.name]?.()
      const fitting = conformingCall(operation, { strangers: 0 })
      for (const call of fc.sample(fitting, { seed, numRuns: fittingRuns })) {
        await check(operation, call)
        if (hasFit()) break
      }
    }
    // Or the calls were no good, and the test with them.
    expect(hasFit(), `${statuses()}`).toBe(true)
  })

  test('answers whatever else it is sent as the document says', async () => {
    const runs = operation.body ? hostileBodyRuns : hostileRuns
    await tryMany(hostileCall(operation), runs, (call) => check(operation, call))
  })
})

// What git clients, browsers and code hosts call is not in the document.
describe('routes outside of the document', () => {
  let slug = ''
  let projectId = ''
  beforeAll(async () => {
    const { body } = await it.call('POST', '/v1/projects', { body: { name: 'Outside' } })
    slug = body.slug
    projectId = body.id
  })
  const routes: [method: string, path: string][] = [
    ['GET', '/git/{slug}'],
    ['GET', '/git/{slug}/pulls'],
    ['GET', '/git/{slug}/pulls/{number}'],
    ['POST', '/git/{slug}/pulls/{number}/merge'],
    ['POST', '/git/{slug}/pulls/{number}/close'],
    ['GET', '/git/{slug}.git/info/refs'],
    ['POST', '/git/{slug}.git/git-upload-pack'],
    ['POST', '/git/{slug}.git/git-receive-pack'],
    ['POST', '/v1/hooks/{projectId}/{vendor}'],
    ['GET', '/analytics.js'],
    ['POST', '/v1/analytics/{ownProjectId}/collect'],
  ]
  const types = ['upload', 'receive'].map((service) => `application/x-git-${service}-pack-request`)
  const queries = ['?service=git-upload-pack', '?service=git-receive-pack', '?view=split', '?state=ended&offset=1']
  const contentTypes = [...types, 'application/json', ...otherTypes]

  const call = fc.record({
    route: fc.constantFrom(...routes),
    slug: fc.option(hostileText.map((text) => encoded(shortened(text)))),
    number: fc.oneof(fc.constantFrom('1', '0', '99999999999999999999'), hostileText.map(shortened).map(encoded)),
    query: fc.oneof(
      fc.constantFrom('', ...queries),
      fc
        .tuple(fc.constantFrom('service', 'view', 'state', 'offset'), hostileText.map(shortened))
        .map((pair) => queryOf([pair])),
    ),
    authorization: fc.constantFrom(
      `Basic ${Buffer.from(`me:${testAdminKey}`).toString('base64')}`,
      `Bearer ${testAdminKey}`,
      'Basic eDp5',
      '',
    ),
    header: fc.oneof(
      fc.tuple(fc.constantFrom('origin', 'x-github-event', 'x-hub-signature-256', ...otherHeaders), hostileText),
      fc.constant<[string, string]>(['origin', it.services.config.baseUrl]),
    ),
    type: fc.constantFrom(...contentTypes),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('0000', '', 'head=x&view=y', '{}').map(Buffer.from),
      fc
        .record({ path: hostileText, referrer: fc.option(hostileText) })
        .map((seen) => Buffer.from(JSON.stringify(seen))),
    ),
  })

  test('answer whatever they are sent without a failure', async () => {
    await tryMany(call, hostileBodyRuns, async (one) => {
      const [method, template] = one.route
      const path = template
        .replace('{slug}', one.slug ?? slug)
        .replace('{number}', one.number)
        .replace('{projectId}', one.slug ?? 'prj_0000000000000000000000')
        .replace('{ownProjectId}', one.slug ?? projectId)
        .replace('{vendor}', one.number.length % 2 ? 'github' : 'gitlab')
      const headers = {
        authorization: one.authorization,
        'content-type': one.type,
        [one.header[0]]: headerValue(one.header[1]),
      }
      const body = method === 'POST' ? one.body : undefined
      const operation = { method, path } as Operation
      const { status, text } = await send(operation, { parameters: {}, query: one.query, headers, body }, {})
      expectSound({ status, text, place: `${method} ${path.slice(0, 200)} answered ${status} ${text.slice(0, 500)}` })
    })
  })
})

test('the server has survived all that without a failure', async () => {
  expect(it.logged.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  expect((await it.call('GET', '/v1/projects')).status).toBe(200)
  expect(Object.keys(Object.prototype)).toEqual([])
})

/** Makes the first call however long it takes (fast-check’s own time limit fails a property that got to none), the others while there is time. */
async function tryMany<T>(calls: Arbitrary<T>, numRuns: number, call: (one: T) => Promise<void>): Promise<void> {
  let deadline = 0
  const property = fc.asyncProperty(calls, async (one) => {
    if (deadline && Date.now() > deadline) return
    deadline ||= Date.now() + mostMs
    await call(one)
  })
  await fc.assert(property, { seed, numRuns })
}

async function check(operation: Operation, call: Call): Promise<void> {
  const parameters = fill(operation, call)
  const answer = await sendPatiently(operation, call, parameters)
  const { status, headers, text } = answer
  const place = `${operation.name} answered ${status} ${text.slice(0, 500)}`
  const counts = answered.get(operation.name) ?? new Map<number, number>()
  answered.set(operation.name, counts.set(status, (counts.get(status) ?? 0) + 1))

  expect(headers['x-request-id'], place).toMatch(/^[\w.:-]{1,64}$/)
  expect(Object.keys(operation.responses), place).toContain(String(status))
  expectSound({ status, text, place })

  const declared = operation.responses[status]!.content
  if (!declared) {
    expect(text, place).toBe('')
    return
  }
  const type = String(headers['content-type']).split(';')[0]!
  expect(Object.keys(declared), place).toContain(type)
  const { schema } = declared[type]!
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  expect(validator(schema).safeParse(value).error?.issues ?? [], place).toEqual([])
  if (status >= 400) expect('details' in (value as object), place).toBe(text.includes('"code":"request.invalid"'))
  if (status < 300) remember(operation, value, parameters)
}

/** Shedding load is no fault; every other 5xx is. No answer shows our insides. */
function expectSound({ status, text, place }: { status: number; text: string; place: string }): void {
  if (status >= 500) expect([status, JSON.parse(text).code], place).toEqual([503, 'server.overloaded'])
  expect(text, place).not.toMatch(/\bat \/|\bat file:|node_modules|\.ts:\d/)
}

const validators = new Map<JsonSchema, z.ZodType>()
function validator(schema: JsonSchema): z.ZodType {
  const made = validators.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  validators.set(schema, made)
  return made
}

/** Notes the ids of what was made or listed, for the paths below. */
function remember({ path }: Operation, value: unknown, parents: Record<string, string>): void {
  if (path.endsWith('}')) return
  const told = [value, ...Object.values(value ?? {}).flat()]
  const known = things.get(path) ?? []
  for (const one of told) {
    const id = (one as { id?: unknown } | null)?.id
    if (typeof id === 'string' && !untouchable.has(id) && !known.some((thing) => thing.id === id)) {
      known.push({ id, parents })
    }
  }
  things.set(path, known)
}

function thingFor(parameter: string, { known }: Known): Thing {
  const collections = operations.flatMap(({ path }) => path.split(`/{${parameter}}`).slice(0, -1))
  const candidates = [...new Set(collections)].flatMap((path) => things.get(path) ?? [])
  return candidates[known % candidates.length] ?? { id: 'none', parents: {} }
}

/** What stands in the path. From the last on: which thing that is decides whose things come before it. */
function fill({ path }: Operation, { parameters }: Call): Record<string, string> {
  const filled: Record<string, string> = {}
  for (const [, name = ''] of [...path.matchAll(/\{(\w+)\}/g)].reverse()) {
    const value = parameters[name]!
    if (typeof value === 'string') filled[name] = value
    else if (filled[name] === undefined) {
      const { id, parents } = thingFor(name, value)
      Object.assign(filled, parents, { ...filled, [name]: id })
    }
  }
  return filled
}

async function send({ method, path }: Operation, { query, headers, body }: Call, parameters: Record<string, string>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => parameters[name]!)
  const sent = typeof body === 'string' ? Buffer.from(body) : body
  const length = sent === undefined ? {} : { 'content-length': String(sent.byteLength) }
  const options = { agent, host: '127.0.0.1', port, method, path: filled + query, headers: { ...headers, ...length } }
  return await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const request = sendRequest(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          })
        })
        response.on('error', reject)
      })
      request.on('error', reject)
      request.end(sent)
    },
  )
}

/** On a busy machine the server sheds load, and then says nothing about the call. */
async function sendPatiently(...input: Parameters<typeof send>): ReturnType<typeof send> {
  for (let tries = 1; ; tries++) {
    const answer = await send(...input)
    if (answer.status !== 503 || !answer.text.includes('server.overloaded') || tries === 10) return answer
    await sleep(200)
  }
}

/** `strangers` is how often, of five times, a thing is called by an id that nobody has. */
function conformingCall(operation: Operation, { strangers = 1 } = {}): Arbitrary<Call> {
  const known = fc.nat().map((pick): Known => ({ known: pick }))
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
  const required = inQuery.filter((parameter) => parameter.required).map(({ name }) => name)
  return fc.record({
    parameters: fc.record(
      Object.fromEntries(
        inPath.map(({ name, schema }) => [
          name,
          fc.oneof(
            { weight: 5 - strangers, arbitrary: known },
            { weight: strangers, arbitrary: conforming(schema).map(encoded) },
          ),
        ]),
      ),
    ),
    query: fc
      .record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, conforming(schema)])), {
        requiredKeys: required,
      })
      .map((values) => queryOf(Object.entries(values).map(([name, value]) => [name, String(value)]))),
    headers: fc.constant({ authorization: `Bearer ${testAdminKey}`, ...(operation.body ? json : {}) }),
    body: operation.body ? conforming(operation.body).map((value) => JSON.stringify(value)) : fc.constant(undefined),
  })
}

type Fault = (call: Call) => Call

/** A good call with one or two things wrong. */
function hostileCall(operation: Operation): Arbitrary<Call> {
  const faults = fc.array(fc.oneof(...faultsFor(operation)), { minLength: 1, maxLength: 2 })
  return fc
    .tuple(conformingCall(operation), faults)
    .map(([call, some]) => some.reduce((spoilt, fault) => fault(spoilt), call))
}

function faultsFor({ parameters, body }: Operation): Arbitrary<Fault>[] {
  const names = [...parameters.map(({ name }) => name), 'limit', 'x', '__proto__', 'a[b]']
  const pair = fc.tuple(fc.constantFrom(...names), hostileText.map(shortened))
  const rawQueries = ['?limit=%ZZ', '?%00', '?&&==', '?limit', '?limit=1&limit=2', '?[]=1']
  const rawParameters = ['%ZZ', '%', '%00', '%ED%A0%80', '..', '.', ';a=b']
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const parameter = fc.oneof(
    hostileText.map((text) => encoded(shortened(text))),
    fc.constantFrom(...rawParameters),
  )

  const value = body ? conforming(body) : fc.jsonValue()
  const text = value.map((one) => JSON.stringify(one))
  const rawBodies = ['', 'null', '[]', '0', '""', '{"a":1}{"b":2}', '{"__proto__":{"polluted":true}}', '\ufeff{}']
  return [
    fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => withQuery(queryOf(pairs))),
    fc.constantFrom(...rawQueries).map(withQuery),
    fc
      .constantFrom('', 'Bearer', 'Bearer docent_x', 'Basic eDp5')
      .map((authorization) => withHeaders({ authorization })),
    fc
      .tuple(fc.constantFrom(...otherHeaders), hostileText)
      .map(([name, text]) => withHeaders({ [name]: headerValue(text) })),
    ...(inPath.length === 0 ? [] : [parameter.map((hostile) => withParameters(inPath, hostile))]),
    // The most common fault, and so as common here as all the others of a body.
    ...Array.from({ length: body ? 6 : 0 }, () => spoiled(value).map((one) => withBody(JSON.stringify(one) ?? ''))),
    // Cut off somewhere.
    fc.tuple(text, fc.nat()).map(([whole, at]) => withBody(whole.slice(0, at % (whole.length + 1)), json)),
    fc.tuple(text, fc.constantFrom(...otherTypes)).map(([whole, type]) => withBody(whole, { 'content-type': type })),
    text.map((whole) => withBody(whole, { ...json, 'content-encoding': 'gzip' })),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => withBody(bytes, json)),
    fc.constantFrom(...rawBodies).map((whole) => withBody(whole, json)),
  ]
}

const otherHeaders = [
  ...['x-request-id', 'accept', 'idempotency-key', 'last-event-id', 'x-http-method-override', 'docent-organization'],
  ...['x-forwarded-for', 'if-match', 'expect', 'cookie'],
]
const otherTypes = [
  ...[
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '',
  ],
  'application/json; charset=utf-16',
]

const withQuery =
  (query: string): Fault =>
  (call) => ({ ...call, query })
const withHeaders =
  (headers: Record<string, string>): Fault =>
  (call) => ({ ...call, headers: { ...call.headers, ...headers } })
const withBody =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Fault =>
  (call) => ({
    ...call,
    body,
    headers: { ...call.headers, ...headers },
  })
const withParameters =
  (names: string[], value: string): Fault =>
  (call) => ({
    ...call,
    parameters: Object.fromEntries(names.map((name) => [name, value])),
  })

/** What may stand in a header at all; the rest never leaves a client. */
const headerValue = (text: string) => shortened(text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ''))
const shortened = (text: string) => text.slice(0, 2_000)

function queryOf(pairs: [string, string][]): string {
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')}`
}

/** As it can stand in a URL; half surrogate pairs as the bytes that some encoders make of them. */
function encoded(value: unknown): string {
  const text = String(value)
  return [...text].map((character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join('')
}

function operationsOf(source: unknown): Operation[] {
  // Things are made before they are read, and read before they are deleted; what lies in a thing comes after it, and is
  // deleted before it.
  const order = ['post', 'get', 'put', 'patch', 'delete']
  const place = ({ method, path }: { method: string; path: string }) => {
    const depth = path.split('{').length
    return method === 'delete' ? 1000 - depth : depth * 10 + order.indexOf(method)
  }
  // biome-ignore lint/suspicious/noExplicitAny: openapi.test.ts checks the shape of the document.
  const { paths } = withoutRefs(source, source) as any
  return Object.entries<Record<string, never>>(paths)
    .flatMap(([path, item]) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      Object.entries<any>(item).map(([method, operation]) => ({
        name: operation.operationId,
        method,
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json'].schema,
        responses: operation.responses,
      })),
    )
    .sort((one, two) => place(one) - place(two))
}
