import { DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api'

type Numbers = Uint8Array | Uint16Array | Uint32Array | BigInt64Array | BigUint64Array

/** What the vectors of numbers have inside; their type keeps it private. */
interface NumberVector {
  items: Numbers
  setItem(row: number, value: null): void
  flush(): void
}

/** Rows for DuckDB whose columns are written as they lie in memory. */
export interface ColumnChunk {
  chunk: DuckDBDataChunk
  /**
   * The values of a column of whole numbers, in the width that its type has, to be written into. Given one by one to the
   * vector, each is checked and made an object of, which takes ten times as long.
   */
  numbersOf<Column extends Numbers>(column: number): Column
  /** The same for numbers of 64 bits, each as two of 32: the lower one first. */
  wordsOf(column: number): Uint32Array
  setNull(column: number, row: number): void
  /** Makes what was written to these columns the chunk's. */
  flush(columns: readonly number[]): void
}

export function createColumnChunk(types: readonly DuckDBType[], rows: number): ColumnChunk {
  const chunk = DuckDBDataChunk.create(types, rows)
  const vectorOf = (column: number) => chunk.getColumnVector(column) as unknown as NumberVector
  return {
    chunk,
    numbersOf: <Column extends Numbers>(column: number) => vectorOf(column).items as Column,
    wordsOf(column) {
      const { buffer, byteOffset, byteLength } = vectorOf(column).items
      return new Uint32Array(buffer, byteOffset, byteLength / 4)
    },
    setNull: (column, row) => vectorOf(column).setItem(row, null),
    flush(columns) {
      for (const column of columns) vectorOf(column).flush()
    },
  }
}

/** Writes a whole number from 0 to 2^53 as 64 bits. */
export function writeWhole(words: Uint32Array, row: number, value: number): void {
  words[2 * row] = value
  words[2 * row + 1] = value / 2 ** 32
}
