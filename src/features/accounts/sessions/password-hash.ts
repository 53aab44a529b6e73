import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { DocentError } from '#base/errors.ts'

// The form and cost are those of better-auth, so that either can check what the other wrote. One takes 32 MB.
const cost: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }
const keyBytes = 64

const defaults = {
  // Each keeps a thread of the four that files are read with too, for a tenth of a second or more.
  mostAtOnce: 2,
  mostWaiting: 40,
}

/** Hashes passwords, few at a time: a flood of sign-ins waits for itself, and takes neither the memory nor the threads. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** In the same time for every password. */
  verify(input: { hash: string; password: string }): Promise<boolean>
}

export function createPasswordHasher({ mostAtOnce, mostWaiting } = defaults): PasswordHasher {
  let running = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting) {
        const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
        throw new DocentError('unavailable', 'server.overloaded', message, { retryAfterSeconds: 5 })
      }
      // Whoever ends gives its place on; it is not free in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(16).toString('hex')
        return `${salt}:${(await derive(password, salt)).toString('hex')}`
      }),
    verify: ({ hash, password }) =>
      inTurn(async () => {
        const [salt = '', key = ''] = hash.split(':')
        const [expected, found] = [Buffer.from(key, 'hex'), await derive(password, salt)]
        return expected.length === found.length && timingSafeEqual(expected, found)
      }),
  }
}

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
