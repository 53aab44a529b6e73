import { canonicalPath } from '../intake/canonical-path.ts'
import { createByteTexts } from './byte-texts.ts'
import { absent, type BatchBuilder, untold } from './import-batch.ts'
import type { Line } from './line-splitter.ts'
import type { PlainReader, Span } from './log-entry.ts'
import {
  type FilterOptions,
  isSuccess,
  mostAddressLength,
  mostRemembered,
  mostTextLength,
  type SkipReason,
} from './view-filter.ts'

/** Makes views of plain lines, as the format's parser and the filter would, and quicker. */
export interface PlainViews {
  /** What a line is: a view, or why it is none. Null: it is not plain, and its format must say. */
  read(line: Line): 'view' | SkipReason | null
  /** Adds the view that was read last. */
  add(line: Line, batch: BatchBuilder): void
  /** The batch is another one now. */
  startBatch(): void
}

export function createPlainViews({ found, ...reader }: PlainReader, { since, until }: FilterOptions): PlainViews {
  const targets = createByteTexts()
  /** Of each target, its page, if it is one; and its page's number in the batch of which `batchOf` has the number. */
  let pages: (string | null)[] = []
  const numberOf = new Int32Array(mostRemembered)
  const batchOf = new Int32Array(mostRemembered)
  let batches = 1
  let target = 0

  function isPage({ words }: Line): boolean {
    if (targets.count >= mostRemembered) forget()
    target = targets.numberOf(words, found.path.from, found.path.to)
    if (target === pages.length) pages.push(canonicalPath(targets.textAt(target)))
    return pages[target] !== null
  }

  function forget(): void {
    targets.clear()
    pages = []
    batchOf.fill(0)
  }

  function pageIn(batch: BatchBuilder): number {
    if (batchOf[target] !== batches) {
      batchOf[target] = batches
      numberOf[target] = batch.texts.numberOfText(pages[target]!)
    }
    return numberOf[target]!
  }

  return {
    read(line) {
      if (!reader.readRequest(line)) return null
      const { at, status } = found
      if ((since !== null && at < since) || (until !== null && at >= until)) return 'outside the dates'
      if (!isSuccess(status)) return 'not successful'
      if (!isPage(line)) return 'not a page'
      if (!reader.readClient(line)) return null
      const isUsual = lengthOf(found.referrer) <= mostTextLength && lengthOf(found.userAgent) <= mostTextLength
      return isUsual && lengthOf(found.address) > 0 && lengthOf(found.address) <= mostAddressLength ? 'view' : null
    },
    add(line, batch) {
      batch.addNumbered({
        at: found.at,
        path: pageIn(batch),
        referrer: numberIn(batch, line, found.referrer),
        address: numberIn(batch, line, found.address),
        userAgent: numberIn(batch, line, found.userAgent),
        accept: untold,
        acceptLanguage: untold,
      })
    },
    startBatch() {
      batches++
    },
  }
}

function numberIn({ texts }: BatchBuilder, { words }: Line, { from, to }: Span): number {
  return from === to ? absent : texts.numberOf(words, from, to)
}

function lengthOf({ from, to }: Span): number {
  return to - from
}
