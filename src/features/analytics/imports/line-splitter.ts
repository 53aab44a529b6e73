import { wordsOf } from './byte-texts.ts'

/** Longer lines are no lines of an access log, and must not be held in memory. */
const mostLineBytes = 64 * 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** A line where it stands, without its end: most are told without making a text of them. */
export interface Line {
  bytes: Buffer
  /** The same, for whoever reads several at once. */
  words: DataView
  from: number
  to: number
  /** Where it starts, and where the next one does, in bytes of the content. */
  start: number
  end: number
}

/** The line read as UTF-8; bytes that are none become U+FFFD. */
export function textOf({ bytes, from, to }: Line): string {
  return bytes.toString('utf8', from, to)
}

/** The line with a character for each byte. */
export function rawOf({ bytes, from, to }: Line): string {
  return bytes.toString('latin1', from, to)
}

export interface LineSplitter {
  push(chunk: Buffer): void
  /** What is after the last line feed; its length, and as a line if `isWhole`. */
  finish(options: { isWhole: boolean }): number
}

/**
 * Cuts chunks of bytes into lines. How the bytes are cut into chunks changes nothing. `from` is where the first chunk
 * starts in the content.
 */
export function createLineSplitter({
  from,
  onLine,
  onLongLine,
}: {
  from: number
  onLine(line: Line): void
  onLongLine(end: number): void
}): LineSplitter {
  let position = from
  let rest: Buffer = Buffer.alloc(0)
  // In a line that is too long, until its end comes.
  let isSkipping = false

  /** All of `bytes` but what is after its last line feed, which is returned. */
  function cut(bytes: Buffer): Buffer {
    const words = wordsOf(bytes)
    let start = 0
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, start)) {
      take(bytes, words, start, feed)
      start = feed + 1
    }
    position += start
    return bytes.subarray(start)
  }

  function take(bytes: Buffer, words: DataView, start: number, feed: number): void {
    const end = position + feed + 1
    if (isSkipping || feed - start > mostLineBytes) {
      isSkipping = false
      onLongLine(end)
      return
    }
    const to = feed > start && bytes[feed - 1] === carriageReturn ? feed - 1 : feed
    onLine({ bytes, words, from: start, to, start: position + start, end })
  }

  return {
    push(chunk) {
      // Only what is left of the line before is joined with its end; the others stay where they are.
      const first = rest.length === 0 ? 0 : chunk.indexOf(lineFeed) + 1
      if (first > 0) cut(Buffer.concat([rest, chunk.subarray(0, first)]))
      const left = cut(chunk.subarray(first))
      rest = rest.length > 0 && first === 0 ? Buffer.concat([rest, left]) : left
      if (rest.length > mostLineBytes) {
        position += rest.length
        rest = Buffer.alloc(0)
        isSkipping = true
      }
    },
    finish({ isWhole }) {
      const { length } = rest
      if (isWhole && (length > 0 || isSkipping)) take(rest, wordsOf(rest), 0, length)
      return length
    },
  }
}
