import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

// A file that was tampered with must not fill the memory.
const mostBytes = 200_000_000

/** A value as bytes that take little room. */
export function pack(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value))
}

/** Throws when they are not what `pack` made. */
export function unpack<Value>(bytes: Uint8Array): Value {
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: mostBytes }).toString('utf8')) as Value
}
