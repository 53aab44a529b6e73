import { randomFillSync } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// Asking the system takes longer than all the rest of making an id, and every request gets one: so many at a time.
const bytes = Buffer.alloc(4096)
let used = bytes.length

function randomByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  const byte = bytes[used]!
  // Keys are made of these too: what was used is not left lying in memory.
  bytes[used++] = 0
  return byte
}

/** Uniformly random base62 characters. Bytes of 248 and above are thrown away, as 256 is not a multiple of 62. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += base62[byte % 62]
  }
  return text
}

export type IdPrefix =
  | 'org'
  | 'prj'
  | 'key'
  | 'aud'
  | 'job'
  | 'msg'
  | 'whk'
  | 'dlv'
  | 'fbk'
  | 'sch'
  | 'dpl'
  | 'usr'
  | 'ses'
  | 'acc'
  | 'inv'

/** An opaque identifier such as `prj_5kQ…`; 22 base62 characters are 131 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(22)}`
}

/** Whether a caller's text can be an id at all; what cannot be one is never sent to the database. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{22}$/.test(text.slice(prefix.length + 1))
}
