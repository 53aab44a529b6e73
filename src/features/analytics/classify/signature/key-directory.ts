import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

/** A public key of an agent that signs its requests. */
export interface AgentKey {
  /** JWK thumbprint (RFC 7638), which signatures name it by. */
  id: string
  key: KeyObject
  /** Seconds since 1970; null has no bound. */
  notBefore: number | null
  expires: number | null
}

const mostKeys = 100

const Directory = z.object({
  fetchedAt: z.iso.datetime().nullish(),
  keys: z.array(z.unknown()).max(mostKeys),
})

const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  use: z.literal('sig').optional(),
  nbf: z.number().nullish(),
  exp: z.number().nullish(),
})

/**
 * The Ed25519 keys of a directory of HTTP message signature keys; others are left out. Some directories are one bare key.
 * Throws a plain error when there is none.
 */
export function parseKeyDirectory(text: string): { fetchedAt: string | null; keys: AgentKey[] } {
  const json: unknown = JSON.parse(text)
  const { fetchedAt, keys: given } = Jwk.safeParse(json).success ? { keys: [json] } : Directory.parse(json)
  const keys = given.flatMap((entry): AgentKey[] => {
    const jwk = Jwk.safeParse(entry)
    if (!jwk.success) return []
    const { kty, crv, x, nbf, exp } = jwk.data
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
    return [{ id: thumbprint(x), key, notBefore: nbf ?? null, expires: exp ?? null }]
  })
  if (keys.length === 0) throw new Error('expected Ed25519 keys, found none')
  return { fetchedAt: fetchedAt ?? null, keys }
}

/** RFC 7638 and RFC 8037, appendix A.3: the hash of the key's required members in this order. */
export function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}
