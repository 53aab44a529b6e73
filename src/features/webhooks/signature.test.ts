import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createSecretBox } from '#infra/data/secret-box.ts'
import { newSecret, sealSecret, signatureHeaders } from './signature.ts'

const secretBox = createSecretBox('a secret for tests, long enough to be one')
const webhookId = 'whk_1'
const now = new Date()
const day = 24 * 3_600_000

/** The signature as the specification says it, without the package that we sign with. */
function signByHand(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

const seal = (secret: string, replaces?: string) =>
  sealSecret(secretBox, { webhookId, secret, now, ...(replaces === undefined ? {} : { replaces }) })
const sign = (sealedSecret: string, at = now, body = '{}') =>
  signatureHeaders(secretBox, { webhookId, sealedSecret, id: 'dlv_1', body, now: at })

test('a secret is new each time and has 32 bytes', () => {
  const secrets = Array.from({ length: 20 }, newSecret)
  expect(new Set(secrets).size).toBe(20)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64').length).toBe(32)
  }
})

test('the signature of the specification’s example comes out', () => {
  const headers = signatureHeaders(secretBox, {
    webhookId,
    sealedSecret: seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    now: new Date(1_614_265_330_000),
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('any body is signed so that the standard library and a plain HMAC agree', () => {
  const ascii = fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/)
  fc.assert(
    fc.property(ascii, fc.json(), (id, body) => {
      const secret = newSecret()
      const headers = signatureHeaders(secretBox, { webhookId, sealedSecret: seal(secret), id, body, now: new Date() })
      expect(headers['webhook-signature']).toBe(signByHand(secret, id, headers['webhook-timestamp']!, body))
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
      expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
      expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': `${id}x` })).toThrow()
    }),
  )
})

describe('after a new secret was made', () => {
  const [first, second, third] = [newSecret(), newSecret(), newSecret()]

  test('both sign for a day, and then the new one alone', () => {
    const rotated = seal(second, seal(first))
    const both = sign(rotated, new Date(now.getTime() + day - 1000))
    const { 'webhook-timestamp': timestamp } = both as { 'webhook-timestamp': string }
    expect(both['webhook-signature']!.split(' ')).toEqual([
      signByHand(second, 'dlv_1', timestamp, '{}'),
      signByHand(first, 'dlv_1', timestamp, '{}'),
    ])
    const after = sign(rotated, new Date(now.getTime() + day))
    expect(after['webhook-signature']!.split(' ').length).toBe(1)
  })

  test('receivers with either secret accept the request', () => {
    const headers = sign(seal(second, seal(first)))
    for (const secret of [first, second]) expect(new Webhook(secret).verify('{}', headers)).toEqual({})
  })

  test('another new one drops the oldest at once', () => {
    const headers = sign(seal(third, seal(second, seal(first))))
    expect(() => new Webhook(first).verify('{}', headers)).toThrow()
    for (const secret of [second, third]) expect(new Webhook(secret).verify('{}', headers)).toEqual({})
  })
})

test('a sealed secret tells nothing, and opens for its own webhook only', () => {
  const secret = newSecret()
  const sealedSecret = seal(secret)
  expect(sealedSecret).not.toContain(secret)
  const other = { webhookId: 'whk_2', sealedSecret, id: 'dlv_1', body: '{}', now }
  expect(() => signatureHeaders(secretBox, other)).toThrow(expect.objectContaining({ code: 'secret.unreadable' }))
})
