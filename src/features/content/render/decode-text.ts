import { isUtf8 } from 'node:buffer'

/** Text of a file that may be older than UTF-8: UTF-16 where it says so, else what Windows wrote, which fits any bytes. */
export function decodeText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'windows-1252').decode(bytes)
}
