import { isAscii } from 'node:buffer'

/** Longer lines are no lines of an access log, and must not be held in memory. */
const mostLineBytes = 64 * 1024
const lineFeed = 0x0a

export interface Line {
  /** Without its end, each byte as one character. */
  raw: string
  /** The same read as UTF-8; bytes that are none become U+FFFD. */
  text: string
  /** Where it starts, and where the next one does, in bytes of the content. */
  start: number
  end: number
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
    const whole = bytes.lastIndexOf(lineFeed) + 1
    if (whole > 0) {
      // Each byte as a character is a plain copy, and keeps positions in the text those in the file.
      const text = bytes.toString('latin1', 0, whole)
      const needsDecoding = !isAscii(bytes.subarray(0, whole))
      for (let start = 0; start < whole; ) {
        const feed = text.indexOf('\n', start)
        take(text, start, feed, needsDecoding)
        start = feed + 1
      }
      position += whole
    }
    return bytes.subarray(whole)
  }

  function take(text: string, start: number, feed: number, needsDecoding: boolean): void {
    const end = position + feed + 1
    if (isSkipping || feed - start > mostLineBytes) {
      isSkipping = false
      onLongLine(end)
      return
    }
    const stop = text.charCodeAt(feed - 1) === 0x0d && feed > start ? feed - 1 : feed
    const raw = text.slice(start, stop)
    onLine({ raw, text: needsDecoding ? decoded(raw) : raw, start: position + start, end })
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
      if (isWhole && (length > 0 || isSkipping)) {
        const text = rest.toString('latin1')
        take(text, 0, length, !isAscii(rest))
      }
      return length
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const beyondAscii = /[^\x00-\x7f]/

function decoded(raw: string): string {
  return beyondAscii.test(raw) ? Buffer.from(raw, 'latin1').toString('utf8') : raw
}
