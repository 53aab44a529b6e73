// Columns of numbers travel as base64 of the bytes they are in memory, the lowest first (so on every machine that Docent
// runs on): in JSON, a batch of numbers takes longer to write and to read than all that is done with them.

export type Column = Uint32Array | Int32Array | BigUint64Array

export function encodeColumn({ buffer, byteOffset, byteLength }: Column): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** The bytes, alone in their memory so that they can be read in any width; null for what is no base64 or not of so wide items. */
export function decodeColumn(text: string, bytesPerItem: number): ArrayBuffer | null {
  const length = Buffer.byteLength(text, 'base64')
  if (length % bytesPerItem !== 0) return null
  const bytes = Buffer.from(new ArrayBuffer(length))
  // What is no base64 is left out, so that less is written.
  return bytes.write(text, 'base64') === length && text.length === 4 * Math.ceil(length / 3) ? bytes.buffer : null
}
