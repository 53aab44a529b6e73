import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import { createHostRequest, type HostCall, type RequestDeps } from './host-request.ts'

const now = new Date('2026-03-01T12:00:00Z')
const token = 'v3ry-secret'

/** A request to a host that gives these answers, one after the other. */
function requestTo(answers: (() => Response)[], change: Partial<RequestDeps> = {}) {
  const waits: number[] = []
  let count = 0
  const request = createHostRequest(
    {
      vendor: 'Host',
      apiUrl: 'https://host.example/api',
      authorize: async () => ({ name: 'authorization', value: `Bearer ${token}` }),
    },
    {
      fetch: async () => answers[Math.min(count++, answers.length - 1)]!(),
      clock: { now: () => now },
      wait: async (milliseconds) => void waits.push(milliseconds),
      ...change,
    },
  )
  const ask = (call: Partial<HostCall<unknown>> = {}) =>
    request({ path: '/thing', schema: z.object({ ok: z.literal(true) }), permission: '"everything"', ...call })
  return { ask, waits, countRequests: () => count }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers })

const inTwoMinutes = String(now.getTime() / 1000 + 120)

test.each([
  ['a 429 that names seconds', json(429, {}, { 'retry-after': '120' }), 120],
  ['a 429 that names a date', json(429, {}, { 'retry-after': 'Sun, 01 Mar 2026 12:02:00 GMT' }), 120],
  ['a 429 that names nothing', json(429, {}), 60],
  ['a 429 that names nonsense', json(429, {}, { 'retry-after': 'soon' }), 60],
  ['a 429 that names the next year', json(429, {}, { 'retry-after': '31536000' }), 3600],
  ['a spent limit of GitHub', json(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inTwoMinutes }), 120],
  ['a secondary limit of GitHub', json(403, {}, { 'retry-after': '90' }), 90],
  ['a secondary limit that names no time', json(403, { message: 'You have exceeded a secondary rate limit.' }), 60],
  ['a limit of GitLab', json(429, {}, { 'ratelimit-reset': inTwoMinutes }), 120],
])('takes %s for a limit', async (_what, answer, retryAfterSeconds) => {
  const { ask, waits } = requestTo([answer])
  await expect(ask()).rejects.toMatchObject({ kind: 'rate_limited', code: 'host.rate_limited', retryAfterSeconds })
  expect(waits).toEqual([])
})

test('takes a 403 with requests left for a missing permission, and names it', async () => {
  const headers = { 'x-ratelimit-remaining': '4999', 'x-accepted-github-permissions': 'pull_requests=write' }
  await expect(requestTo([json(403, { message: 'Resource not accessible' }, headers)]).ask()).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'The token needs "everything" (pull_requests=write) on Host. Host says: Resource not accessible',
  })
})

test('takes a 404 to a write for a missing permission', async () => {
  const { ask } = requestTo([json(404, { message: 'Not Found' })])
  await expect(ask({ method: 'POST', body: {} })).rejects.toMatchObject({ code: 'host.permission_missing' })
  await expect(ask()).rejects.toMatchObject({ code: 'host.repository_not_found' })
})

test('waits a little longer before each next try', async () => {
  const { ask, waits } = requestTo([json(500, {}), json(502, {}), json(200, { ok: true })])
  expect(await ask()).toEqual({ ok: true })
  expect(waits).toEqual([250, 500])
})

test.each(['POST', 'PATCH', 'PUT'] as const)('sends a %s that failed no second time', async (method) => {
  const { ask, countRequests } = requestTo([json(500, {}), json(200, { ok: true })])
  await expect(ask({ method, body: {} })).rejects.toMatchObject({ kind: 'unavailable' })
  expect(countRequests()).toBe(1)
})

test('quotes the host in one short line without what a terminal obeys, and never the token', async () => {
  const words = `\u001b[31mno\u202e\n\u0000 ${token} ${'x'.repeat(5000)}`
  const refused = requestTo([json(400, { errors: [{ message: words }] })]).ask()
  const error = (await refused.catch((thrown) => thrown)) as DocentError
  expect(error).toMatchObject({ kind: 'invalid', code: 'host.request_refused' })
  expect(error.message).toMatch(/^Host refuses the request with 400\. Host says: \[31mno \[hidden\] x+…$/)
  expect(error.message.length).toBeLessThan(400)
})

test('whatever a host answers becomes a value or one of our errors, without the token', async () => {
  const text = fc.oneof(fc.string(), fc.json(), fc.constant(`{"message":"${token}"}`), fc.constant('{"ok":true}'))
  const value = fc.oneof(fc.integer().map(String), fc.stringMatching(/^[ -~]{0,20}$/), fc.constant('/api/thing'))
  const header = fc.constantFrom(
    'retry-after',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'ratelimit-reset',
    'location',
  )
  const answer = fc.record({
    status: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 301, 403, 404, 429, 500)),
    headers: fc.dictionary(header, value),
    text,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
      const responses = answers.map(({ status, headers, text }) => () => {
        const isEmpty = [204, 205, 304].includes(status)
        return new Response(isEmpty ? null : text, { status, headers })
      })
      const { ask, waits, countRequests } = requestTo(responses)
      const outcome = await ask().catch((thrown) => thrown)
      expect(countRequests()).toBeLessThanOrEqual(12)
      expect(waits.every((milliseconds) => milliseconds >= 0 && milliseconds <= 5000)).toBe(true)
      if (outcome instanceof DocentError) expect(outcome.kind).not.toBe('internal')
      else expect(outcome).toEqual({ ok: true })
      expect(inspect(outcome)).not.toContain(token)
    }),
  )
})
