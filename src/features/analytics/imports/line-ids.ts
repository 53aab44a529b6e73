import { hash } from 'node:crypto'

/** Identical lines are told apart as far as they stand in the same or in neighbouring stretches of this many bytes. */
export const stretchBytes = 4 * 1024 * 1024

/** 64 bits: of SHA-256, in which nobody finds two lines with the same, although visitors choose what is in a line. */
export interface LineId {
  high: number
  low: number
}

export interface LineIds {
  /** Of the lines of one log, in their order. */
  idOf(line: { raw: string; start: number }): LineId
}

/**
 * Ids of lines such that the same log gives the same ids however it is called, compressed or cut into batches, so that
 * what was counted once is not counted again. A line's id is made of its content alone, and, where a log has the same line
 * several times, of which one it is: two equal lines are two views, by one client in one second. How often it came before
 * is known of this stretch of the file and the one before, which bounds memory.
 */
export function createLineIds(): LineIds {
  let stretch = 0
  let current = createCounter()
  let previous = createCounter()
  return {
    idOf({ raw, start }) {
      const at = Math.floor(start / stretchBytes)
      if (at !== stretch) {
        ;[previous, current] = [current, previous]
        current.clear()
        if (at !== stretch + 1) previous.clear()
        stretch = at
      }
      const id = digestOf(raw)
      const before = current.increment(id) + previous.count(id)
      return before === 0 ? id : digestOf(`${raw}\n${before}`)
    },
  }
}

/**
 * Where to read again from, so that all lines from `position` on get the ids that they would get when read from the start.
 * A line that starts before this byte is not read.
 */
export function restartOf(position: number): number {
  return Math.max(0, (Math.floor(position / stretchBytes) - 1) * stretchBytes)
}

function digestOf(text: string): LineId {
  // A text with a byte in each character is read quicker than a buffer is made.
  const bytes = hash('sha256', text, 'binary')
  return { high: wordAt(bytes, 0), low: wordAt(bytes, 4) }
}

function wordAt(bytes: string, at: number): number {
  const [first, second] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1)]
  return (first << 24) | (second << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)
}

const firstSize = 1 << 15

/** Counts ids: a table in plain numbers, as a `Map` of so many short-lived texts costs more than reading the log. */
function createCounter() {
  let highs = new Int32Array(firstSize)
  let lows = new Int32Array(firstSize)
  let counts = new Int32Array(firstSize)
  let used = 0

  /** Where the id is, or the free place where it would be. */
  function placeOf({ high, low }: LineId): number {
    const mask = counts.length - 1
    let place = low & mask
    while (counts[place] !== 0 && (lows[place] !== low || highs[place] !== high)) place = (place + 1) & mask
    return place
  }

  function grow(): void {
    const [oldHighs, oldLows, oldCounts] = [highs, lows, counts]
    const size = counts.length * 2
    highs = new Int32Array(size)
    lows = new Int32Array(size)
    counts = new Int32Array(size)
    for (const [index, count] of oldCounts.entries()) {
      if (count === 0) continue
      const place = placeOf({ high: oldHighs[index]!, low: oldLows[index]! })
      highs[place] = oldHighs[index]!
      lows[place] = oldLows[index]!
      counts[place] = count
    }
  }

  return {
    count: (id: LineId): number => counts[placeOf(id)]!,
    /** Counts it once more; returns how often it was there before. */
    increment(id: LineId): number {
      if (used * 2 >= counts.length) grow()
      const place = placeOf(id)
      const before = counts[place]!
      if (before === 0) {
        used++
        highs[place] = id.high
        lows[place] = id.low
      }
      counts[place] = before + 1
      return before
    },
    clear(): void {
      counts.fill(0)
      used = 0
    },
  }
}
