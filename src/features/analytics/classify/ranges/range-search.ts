import type { Address } from './address.ts'
import { parsePrefix } from './range-file.ts'

/** Many lists of networks, asked at once. */
export interface RangeSearch {
  names: readonly string[]
  /** The lists that have this address: bit n stands for `names[n]`. */
  find(address: Address): number
}

// As many bits as an integer has in JavaScript.
const mostLists = 31

/**
 * All lists cut into pieces that do not overlap, each with the lists that cover it; sorted, so that a binary search
 * answers for all of them.
 */
export function createRangeSearch(lists: readonly { name: string; prefixes: readonly string[] }[]): RangeSearch {
  if (lists.length > mostLists) throw new Error(`expected at most ${mostLists} lists, found ${lists.length}`)
  const four: Cut<number>[] = []
  const six: Cut<bigint>[] = []
  for (const [place, { prefixes }] of lists.entries()) {
    const mask = 1 << place
    for (const prefix of prefixes) {
      const block = parsePrefix(prefix)
      if (block?.bits === 32)
        four.push({ at: block.first, mask, opens: true }, { at: block.last + 1, mask, opens: false })
      else if (block) six.push({ at: block.first, mask, opens: true }, { at: block.last + 1n, mask, opens: false })
    }
  }
  const pieces = { 32: cutUp(four), 128: cutUp(six) }
  return {
    names: lists.map(({ name }) => name),
    find: (address) => (address.bits === 32 ? search(pieces[32], address.value) : search(pieces[128], address.value)),
  }
}

interface Cut<N> {
  at: N
  mask: number
  opens: boolean
}

interface Pieces<N> {
  /** Where each piece starts; it ends where the next one does. */
  starts: N[]
  masks: number[]
}

function cutUp<N extends number | bigint>(cuts: Cut<N>[]): Pieces<N> {
  cuts.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const pieces: Pieces<N> = { starts: [], masks: [] }
  // Prefixes of one list may lie inside each other, so what is open is counted.
  const open = new Map<number, number>()
  for (const [place, { at, mask, opens }] of cuts.entries()) {
    open.set(mask, (open.get(mask) ?? 0) + (opens ? 1 : -1))
    if (cuts[place + 1]?.at === at) continue
    let covered = 0
    for (const [list, count] of open) if (count > 0) covered |= list
    pieces.starts.push(at)
    pieces.masks.push(covered)
  }
  return pieces
}

function search<N extends number | bigint>({ starts, masks }: Pieces<N>, value: N): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : masks[low - 1]!
}
