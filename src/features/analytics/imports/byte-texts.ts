import { isAscii } from 'node:buffer'

/**
 * Distinct texts, each with a number from 0 on. They are found by their bytes: of the millions of texts in a log nearly
 * all were there before, and to make a string of each only to look it up takes longer than all else.
 */
export interface ByteTexts {
  readonly count: number
  /** Bytes of all of them. */
  readonly byteLength: number
  /** The number of the text that these bytes are in UTF-8, which is new or was there before. */
  numberOf(words: DataView, from: number, to: number): number
  numberOfText(text: string): number
  textAt(number: number): string
  /** All of them, by their numbers. */
  texts(): string[]
  clear(): void
}

const firstTexts = 1 << 12
const firstBytes = 1 << 16
// Whoever chooses what is in a log must not be able to choose texts that all fall on one place of the table.
const seed = Math.floor(Math.random() * 2 ** 32) | 0

export function createByteTexts(): ByteTexts {
  let bytesOfAll = Buffer.alloc(firstBytes)
  // Where each text ends; it starts where the one before it ends.
  let ends = new Int32Array(firstTexts)
  let hashes = new Int32Array(firstTexts)
  // Numbers plus one, by hash, with free places between them.
  let table = new Int32Array(2 * firstTexts)
  let count = 0
  let byteLength = 0
  let wordsOfAll = wordsOf(bytesOfAll)
  let encoded = Buffer.alloc(1024)
  let wordsOfEncoded = wordsOf(encoded)

  const startOf = (number: number) => (number === 0 ? 0 : ends[number - 1]!)

  function isSame(number: number, words: DataView, from: number, to: number): boolean {
    const start = startOf(number)
    return ends[number]! - start === to - from && isEqual(wordsOfAll, start, words, from, to)
  }

  function numberOf(words: DataView, from: number, to: number): number {
    const hash = hashOf(words, from, to)
    const mask = table.length - 1
    let place = hash & mask
    for (let found = table[place]!; found !== 0; found = table[place]!) {
      if (hashes[found - 1] === hash && isSame(found - 1, words, from, to)) return found - 1
      place = (place + 1) & mask
    }
    table[place] = count + 1
    return add(new Uint8Array(words.buffer, words.byteOffset + from, to - from), hash)
  }

  function add(text: Uint8Array, hash: number): number {
    const end = byteLength + text.length
    if (end > bytesOfAll.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * bytesOfAll.length))
      bytesOfAll.copy(larger, 0, 0, byteLength)
      bytesOfAll = larger
      wordsOfAll = wordsOf(larger)
    }
    bytesOfAll.set(text, byteLength)
    byteLength = end
    ends[count] = end
    hashes[count] = hash
    count++
    if (count === ends.length) grow()
    return count - 1
  }

  function grow(): void {
    const size = 2 * count
    const [oldEnds, oldHashes] = [ends, hashes]
    ends = new Int32Array(size)
    ends.set(oldEnds)
    hashes = new Int32Array(size)
    hashes.set(oldHashes)
    table = new Int32Array(2 * size)
    const mask = table.length - 1
    for (let number = 0; number < count; number++) {
      let place = hashes[number]! & mask
      while (table[place] !== 0) place = (place + 1) & mask
      table[place] = number + 1
    }
  }

  return {
    get count() {
      return count
    },
    get byteLength() {
      return byteLength
    },
    numberOf,
    numberOfText(text) {
      // A character is at most three bytes.
      if (encoded.length < 3 * text.length) {
        encoded = Buffer.alloc(3 * text.length)
        wordsOfEncoded = wordsOf(encoded)
      }
      return numberOf(wordsOfEncoded, 0, encoded.write(text))
    },
    textAt: (number) => bytesOfAll.toString('utf8', startOf(number), ends[number]),
    texts() {
      if (!isAscii(bytesOfAll.subarray(0, byteLength))) return Array.from({ length: count }, (_, at) => this.textAt(at))
      // Cut out of one string, as each byte is a character.
      const all = bytesOfAll.toString('latin1', 0, byteLength)
      return Array.from({ length: count }, (_, number) => all.slice(startOf(number), ends[number]))
    },
    clear() {
      table.fill(0)
      count = 0
      byteLength = 0
    },
  }
}

/** Reads four bytes at once, from anywhere: one by one took half as long again. */
export function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function hashOf(words: DataView, from: number, to: number): number {
  let hash = seed ^ (to - from)
  let at = from
  for (; at + 4 <= to; at += 4) hash = mix(hash, words.getInt32(at, true))
  for (; at < to; at++) hash = mix(hash, words.getUint8(at))
  return hash
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function isEqual(known: DataView, start: number, words: DataView, from: number, to: number): boolean {
  let at = from
  let other = start
  for (; at + 4 <= to; at += 4, other += 4) {
    if (known.getInt32(other, true) !== words.getInt32(at, true)) return false
  }
  for (; at < to; at++, other++) if (known.getUint8(other) !== words.getUint8(at)) return false
  return true
}
