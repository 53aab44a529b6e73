/** Turns offsets (UTF-16 units) of a text into lines and columns, both from 1. */
export interface LineIndex {
  at(offset: number): { line: number; column: number }
}

export function createLineIndex(source: string): LineIndex {
  let starts: number[] | null = null
  return {
    at(offset) {
      starts ??= lineStarts(source)
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (starts[middle]! <= offset) low = middle
        else high = middle - 1
      }
      return { line: low + 1, column: offset - starts[low]! + 1 }
    },
  }
}

function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
