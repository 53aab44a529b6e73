import { createHmac, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyedHash } from './keyed-hash.ts'

test('is the first 64 bits of an HMAC of SHA-256, for any key and text', () => {
  const anyKey = fc.uint8Array({ minLength: 1, maxLength: 200 })
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 1_100 }), fc.string({ maxLength: 1_100 }))
  fc.assert(
    fc.property(anyKey, fc.array(anyText, { maxLength: 3 }), (bytes, texts) => {
      const hashed = createKeyedHash(createSecretKey(bytes))
      for (const text of texts) {
        expect(hashed(text)).toBe(createHmac('sha256', bytes).update(text).digest().readBigUInt64BE(0))
      }
    }),
    { numRuns: 200 },
  )
})
