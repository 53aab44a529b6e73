import { createChildPool } from '../parse/child-pool.ts'
import type { RenderAnswer, RenderRequest, SentPage } from './render-child.ts'
import type { PageIndex, PageRenderer, RenderInput } from './rendered-page.ts'
import { plainCode, unshownIndex, unshownPage } from './unshown-page.ts'

export interface PageRendererOptions {
  /** How long a child may work on one page, or on what it was given at once, before it is taken for lost. */
  timeoutMs?: number
}

const childFile = new URL('./render-child.ts', import.meta.url)
// Pages of 5 kB take half a millisecond: a reader who comes while a site is indexed waits for one of these, not for all.
const mostBatchCharacters = 100_000
const mostBatchPages = 20
// The largest pages of real sites take half a second.
const defaultTimeoutMs = 5_000
// A folder full of pages that are too much must not take all day.
const leastTimeoutMs = 500
const highlightMs = 3_000
// Specifications of several megabytes.
const outlineMs = 10_000
// After these, pages that were lost together are not tried one by one.
const mostLosses = 10
// After these, what is left is not tried at all.
const mostLostBatches = 12
// While a child works on one, its next one waits.
const batchesAtOnce = 4
const memoryMb = 512
// Grammars of many languages, specifications; a child with more is replaced when it is lost.
const mostBlockCharacters = 300_000

export function createPageRenderer({ timeoutMs = defaultTimeoutMs }: PageRendererOptions = {}): PageRenderer {
  const pool = createChildPool<RenderRequest, RenderAnswer>({ childFile, memoryMb })

  return {
    prepare: () => pool.prepare(),
    close: () => pool.close(),

    async index(pages, { signal, onPages } = {}) {
      const results: PageIndex[] = new Array(pages.length)
      const lost = { pages: 0, batches: 0 }
      const indexRange = async (from: number, to: number): Promise<void> => {
        signal?.throwIfAborted()
        const batch = pages.slice(from, to)
        const answer = lost.batches > mostLostBatches ? null : await ask(batch)
        if (answer) for (const [index, page] of answer.entries()) results[from + index] = page
        else if (to - from === 1 || lost.pages > mostLosses) {
          lost.pages += to - from
          for (let at = from; at < to; at++) results[at] = unshownIndex(pages[at]!)
        } else {
          // One of them took the child down. Halving would let it use up its time again and again.
          for (let at = from; at < to; at++) await indexRange(at, at + 1)
          return
        }
        onPages?.(to - from)
      }
      const ask = async (batch: RenderInput[]): Promise<PageIndex[] | null> => {
        const limitMs = Math.max(leastTimeoutMs, timeoutMs / (1 + lost.pages))
        const answer = await pool.run({ kind: 'index', ...pack(batch) }, { timeoutMs: limitMs, signal })
        if (answer?.kind === 'index') return answer.pages
        lost.batches++
        return null
      }
      // Each takes the next when it is done with one, so that giving up holds for all that was not begun.
      const waiting = batches(pages).values()
      const work = async () => {
        for (const [from, to] of waiting) await indexRange(from, to)
      }
      await Promise.all(Array.from({ length: batchesAtOnce }, work))
      return results
    },

    async render(page, { signal } = {}) {
      const { pages, specs } = pack([page])
      const request = { kind: 'render' as const, page: pages[0]!, specs }
      // Twice: a child may also be lost for a reason that has nothing to do with the page.
      for (let attempt = 1; attempt <= 2; attempt++) {
        const answer = await pool.run(request, { timeoutMs, signal, isUrgent: true })
        if (answer?.kind === 'render') return answer.page
      }
      return unshownPage()
    },

    async highlight(blocks) {
      if (blocks.length === 0) return []
      const characters = blocks.reduce((sum, { text }) => sum + text.length, 0)
      if (characters > mostBlockCharacters) return blocks.map(plainCode)
      const answer = await pool.run({ kind: 'highlight', blocks }, { timeoutMs: highlightMs, isUrgent: true })
      return answer?.kind === 'highlight' ? answer.html : blocks.map(plainCode)
    },

    async outline(spec) {
      const answer = await pool.run({ kind: 'outline', spec }, { timeoutMs: outlineMs })
      return answer?.kind === 'outline' ? answer.outline : null
    },
  }
}

/** Each specification once, however many of the pages are about it. */
function pack(pages: RenderInput[]): { pages: SentPage[]; specs: Record<string, string> } {
  const specs: Record<string, string> = Object.create(null)
  const sent = pages.map((page): SentPage => {
    const { operation } = page
    if (operation === null) return page
    specs[operation.spec.id] = operation.spec.text
    return { ...page, operation: { ...operation, spec: { ...operation.spec, text: '' } } }
  })
  return { pages: sent, specs }
}

function batches(pages: RenderInput[]): [number, number][] {
  const found: [number, number][] = []
  let from = 0
  let characters = 0
  for (const [index, page] of pages.entries()) {
    const size = sizeOf(page)
    if (index > from && (characters + size > mostBatchCharacters || index - from >= mostBatchPages)) {
      found.push([from, index])
      from = index
      characters = 0
    }
    characters += size
  }
  if (from < pages.length) found.push([from, pages.length])
  return found
}

function sizeOf({ source, snippets }: RenderInput): number {
  return Object.values(snippets).reduce((sum, snippet) => sum + snippet.source.length, source.length)
}
