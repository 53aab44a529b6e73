import { enableCompileCache, flushCompileCache } from 'node:module'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import type { CodeBlock, PageIndex, RenderedPage, RenderInput } from './rendered-page.ts'

/** What the parent sends, one at a time. First of all it gets a word that this is ready. */
export type RenderRequest =
  /** Texts of specifications by id, as many pages are about the same one. */
  | { kind: 'index'; pages: SentPage[]; specs: Record<string, string> }
  | { kind: 'render'; page: SentPage; specs: Record<string, string> }
  | { kind: 'highlight'; blocks: CodeBlock[] }
  | { kind: 'outline'; spec: { path: string; id: string; text: string } }

export type RenderAnswer =
  | { kind: 'index'; pages: PageIndex[] }
  | { kind: 'render'; page: RenderedPage }
  | { kind: 'highlight'; html: string[] }
  | { kind: 'outline'; outline: SpecOutline | null }
  /** Something of ours went wrong over it. */
  | { kind: 'failed' }

/** A page without the text of its specification. */
export type SentPage = RenderInput

// Before anything is loaded: compiling it takes longer than all else that a start does.
enableCompileCache()
const { indexPage, renderPage } = await import('./render-page.ts')

// Memory goes back when nothing is asked for a while. The parent starts another when it needs one.
const idleMs = 60_000
// Not while somebody waits for the first answer.
const flushAfterMs = 5_000

const leave = () => process.exit(0)
let idle = setTimeout(leave, idleMs)
process.on('disconnect', leave)
process.on('message', (request: RenderRequest) => {
  clearTimeout(idle)
  answer(request)
    .catch((): RenderAnswer => ({ kind: 'failed' }))
    .then((message) => {
      process.send?.(message)
      idle = setTimeout(leave, idleMs)
    })
})
process.send?.('ready')
// It is written at the end otherwise, and this process may not come to its end.
setTimeout(flushCompileCache, flushAfterMs).unref()

async function answer(request: RenderRequest): Promise<RenderAnswer> {
  switch (request.kind) {
    case 'index': {
      const pages: PageIndex[] = []
      for (const page of request.pages) pages.push(await indexPage(withSpec(page, request.specs)))
      return { kind: 'index', pages }
    }
    case 'render':
      return { kind: 'render', page: await renderPage(withSpec(request.page, request.specs)) }
    case 'highlight': {
      // Grammars are large: only the child that colours has them.
      const { highlightBlocks } = await import('./code/highlight-blocks.ts')
      return { kind: 'highlight', html: await highlightBlocks(request.blocks) }
    }
    case 'outline': {
      const { outlineSpec } = await import('../openapi/outline-spec.ts')
      return { kind: 'outline', outline: outlineSpec(request.spec) }
    }
  }
}

function withSpec(page: SentPage, specs: Record<string, string>): RenderInput {
  const { operation } = page
  if (operation === null) return page
  return { ...page, operation: { ...operation, spec: { ...operation.spec, text: specs[operation.spec.id] ?? '' } } }
}
