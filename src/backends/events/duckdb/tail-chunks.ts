import { BIGINT, DuckDBDataChunk, UBIGINT, UINTEGER, USMALLINT, UTINYINT, VARCHAR } from '@duckdb/node-api'
import type { ViewColumns } from '../view-columns.ts'
import { createColumnChunk, writeWhole } from './column-chunk.ts'
import type { ViewNumbers } from './numbers.ts'
import { noText } from './schema.ts'

const tailTypes = [BIGINT, UINTEGER, BIGINT, BIGINT, UBIGINT, UBIGINT, USMALLINT, USMALLINT, UTINYINT, BIGINT]
const textTypes = [BIGINT, BIGINT, VARCHAR]
/** The places of the tail's columns. */
const at = { seq: 0, project: 1, ts: 2, path: 3, visitor: 4, event: 5, kind: 6, list: 7, class: 8, referrer: 9 }
// The rows that DuckDB takes at a time.
const chunkRows = 2048

interface TailNumbers {
  /** Of their kinds and of their texts. */
  numbered: ViewNumbers[]
  textNumbers: Float64Array
  /** Of the last row before these. */
  lastRow: number
}

/** Views as rows of `tail`. */
export function* tailChunks(columns: ViewColumns, numbers: TailNumbers) {
  const rows = columns.at.length
  for (let start = 0; start < rows; start += chunkRows) {
    yield tailChunk(columns, { ...numbers, start, end: Math.min(start + chunkRows, rows) })
  }
}

function tailChunk(
  columns: ViewColumns,
  { numbered, textNumbers, lastRow, start, end }: TailNumbers & { start: number; end: number },
): DuckDBDataChunk {
  const { chunk, numbersOf, wordsOf, setNull, flush } = createColumnChunk(tailTypes, end - start)
  const [seq, ts, path, referrer] = [wordsOf(at.seq), wordsOf(at.ts), wordsOf(at.path), wordsOf(at.referrer)]
  const project = numbersOf<Uint32Array>(at.project)
  const kind = numbersOf<Uint16Array>(at.kind)
  const list = numbersOf<Uint16Array>(at.list)
  const classOf = numbersOf<Uint8Array>(at.class)
  numbersOf<BigUint64Array>(at.visitor).set(columns.visitor.subarray(start, end))
  numbersOf<BigUint64Array>(at.event).set(columns.eventId.subarray(start, end))
  for (let row = start, place = 0; row < end; row++, place++) {
    const numbers = numbered[columns.kind[row]!]!
    const from = columns.referrer[row]!
    writeWhole(seq, place, lastRow + row + 1)
    writeWhole(ts, place, columns.at[row]!)
    writeWhole(path, place, textNumbers[columns.path[row]!]!)
    writeWhole(referrer, place, from < 0 ? noText : textNumbers[from]!)
    project[place] = numbers.project
    kind[place] = numbers.kind
    list[place] = numbers.list
    classOf[place] = numbers.class
    if (columns.hasEventId[row] === 0) setNull(at.event, place)
  }
  flush(Object.values(at))
  return chunk
}

/** Texts as rows of `texts`, numbered from after `lastText` on, for rows of the tail of which the last one is `lastRow`. */
export function* textChunks(
  texts: readonly string[],
  { lastRow, lastText }: { lastRow: number; lastText: number },
): Generator<DuckDBDataChunk> {
  for (let start = 0; start < texts.length; start += chunkRows) {
    const some = texts.slice(start, start + chunkRows)
    const chunk = DuckDBDataChunk.create(textTypes, some.length)
    chunk.setColumns([
      some.map((_, place) => BigInt(lastText + start + place + 1)),
      some.map(() => BigInt(lastRow)),
      some,
    ])
    yield chunk
  }
}
