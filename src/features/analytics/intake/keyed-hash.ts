import { createHmac, hash, type KeyObject } from 'node:crypto'

/** The first 64 bits of HMAC-SHA-256 of a text under one key. */
export type KeyedHash = (text: string) => bigint

const blockBytes = 64
// Nearly all; so that ten thousand of these, each with its space, take little.
const mostQuickBytes = 1024

/**
 * Spelt out as the two hashes that an HMAC is: `createHmac` makes objects for each text, which takes three times as long
 * as the hashing, and every new visitor needs one.
 */
export function createKeyedHash(key: KeyObject): KeyedHash {
  const inner = Buffer.concat([paddedKey(key, 0x36), Buffer.alloc(mostQuickBytes)])
  const outer = Buffer.concat([paddedKey(key, 0x5c), Buffer.alloc(32)])
  const first = Buffer.alloc(8)
  return (text) => {
    // A character is at most three bytes.
    if (text.length * 3 > mostQuickBytes) return createHmac('sha256', key).update(text).digest().readBigUInt64BE(0)
    const end = blockBytes + inner.write(text, blockBytes)
    // Digests as texts with a byte in each character, which are made quicker than buffers.
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'binary')
    first.write(hash('sha256', outer, 'binary'), 0, 8, 'binary')
    return first.readBigUInt64BE(0)
  }
}

function paddedKey(key: KeyObject, padding: number): Buffer {
  const bytes = key.export()
  const block = Buffer.alloc(blockBytes)
  // RFC 2104: longer keys are hashed first.
  if (bytes.length > blockBytes) hash('sha256', bytes, 'buffer').copy(block)
  else bytes.copy(block)
  return block.map((byte) => byte ^ padding) as Buffer
}
