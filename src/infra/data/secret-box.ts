import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { DocentError, messageOf } from '#base/errors.ts'

/** Encrypts small secrets for the database, and signs what leaves the server and comes back. */
export interface SecretBox {
  /** AES-256-GCM. `context` names the place the text is for; only the same context opens it again. */
  seal(text: string, context: string): string
  /** Throws `internal` when the text was changed, moved to another place, or sealed with another secret. */
  open(sealed: string, context: string): string
  /** HMAC-SHA-256 as 43 characters that can stand in an address. It holds for this context only. */
  sign(text: string, context: string): string
  /** In constant time; whatever the signature is. */
  verify(text: string, context: string, signature: string): boolean
  /** Tells whether two nodes have the same secret, without telling the secret. */
  fingerprint: string
}

// As for DOCENT_SECRET: an empty or cut file would otherwise encrypt with a key that anybody can guess.
const leastSecretLength = 32

/** Says how the rest is made, for the day it is made in another way. */
const version = 'v1.'

export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docent sealed tokens v1', 32))
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'docent signatures v1', 32))
  // The length tells where the context ends: no other pair of the two makes the same bytes.
  const mac = (text: string, context: string) =>
    createHmac('sha256', signingKey)
      .update(`${Buffer.byteLength(context)} ${context}${text}`)
      .digest()
  return {
    seal(text, context) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed, context) {
      try {
        const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
        // The decoder overlooks foreign characters and spare bits; what is not exactly what `seal` wrote was changed.
        if (sealed !== version + bytes.toString('base64url')) throw new Error('It is not a sealed text.')
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch (error) {
        const message = `A stored secret (${context}) does not open with this server's secret. Was DOCENT_SECRET or secret.key changed?`
        throw new DocentError('internal', 'secret.unreadable', message, { cause: error })
      }
    },
    sign: (text, context) => mac(text, context).toString('base64url'),
    verify(text, context, signature) {
      const given = Buffer.from(signature, 'base64url')
      const expected = mac(text, context)
      // The decoder overlooks foreign characters and spare bits; only the one spelling counts.
      const isSpelt = given.length === expected.length && given.toString('base64url') === signature
      return isSpelt && timingSafeEqual(given, expected)
    },
    fingerprint: createHmac('sha256', key).update('docent fingerprint').digest('hex').slice(0, 32),
  }
}

/** The secret in the data folder, made at the first start. The caller holds the folder's lock. */
export function ensureSecretFile(path: string): string {
  const existing = readSecret(path)
  if (existing !== null) {
    if (existing.length >= leastSecretLength) return existing
    const message = `The secret in ${path} is too short: expected at least ${leastSecretLength} characters, found ${existing.length}. Restore the file from a backup, or set DOCENT_SECRET.`
    throw new DocentError('unavailable', 'secret.unreadable', message)
  }
  const secret = randomBytes(32).toString('base64url')
  // Whole or not at all: a half-written secret would make every token sealed with it unreadable.
  const unfinished = `${path}.new`
  const file = openSync(unfinished, 'w', 0o600)
  writeSync(file, `${secret}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(unfinished, path)
  return secret
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    const message = `The secret in ${path} cannot be read: ${messageOf(error)}.`
    throw new DocentError('unavailable', 'secret.unreadable', message, { cause: error })
  }
}
