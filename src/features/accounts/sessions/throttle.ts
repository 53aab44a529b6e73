import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DocentError } from '#base/errors.ts'
import type { Config } from '#infra/config/settings.ts'
import { addressBucketOf } from '#infra/http/address-bucket.ts'
import type { RateLimiter } from '#infra/limits/rate-limiter.ts'

// Counted by address, so that nobody can lock the owner out from somewhere else. Many may share one.
const perAddress = 40
// Guesses at one person's password from one address.
const perPerson = 10

export interface ThrottleDeps {
  limiter: RateLimiter
  config: Pick<Config, 'trustedProxies' | 'proxyHeader'>
}

/**
 * Counts an attempt to get in: with a password, with a link. Throws `rate_limited` when there were too many, whether the
 * next would be right or wrong.
 */
export function throttle({ limiter, config }: ThrottleDeps, request: FastifyRequest, email?: string): void {
  const address = `sign-in:${addressBucketOf(request, config)}`
  const decisions = [limiter.take(address, perAddress)]
  // Only a digest: what people type is not written into a table of counts.
  const person = email && createHash('sha256').update(email).digest('base64url').slice(0, 22)
  if (person) decisions.push(limiter.take(`${address}:${person}`, perPerson))
  const refused = decisions.find(({ allowed }) => !allowed)
  if (!refused) return
  const { resetSeconds } = refused
  const message = `Too many attempts from your address. Try again in ${resetSeconds} s.`
  throw new DocentError('rate_limited', 'auth.too_many_attempts', message, { retryAfterSeconds: resetSeconds })
}
