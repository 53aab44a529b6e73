import { enableCompileCache } from 'node:module'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import type { ParsedPage } from './parse-page.ts'

/** What the parent sends: pages, or a specification. First of all it gets a word that this is ready. */
export type ParserRequest = ParseRequest | OutlineRequest

export interface ParseRequest {
  pages: { source: string; path: string }[]
}

export interface OutlineRequest {
  spec: { path: string; text: string }
}

export type ParserAnswer = { pages: ParsedPage[] } | { outline: SpecOutline | null }

// Before anything is loaded: compiling it takes longer than all else that a start does.
enableCompileCache()
const { parsePage } = await import('./parse-page.ts')

// Memory goes back when nothing is asked for a while. The parent starts another when it needs one.
const idleMs = 30_000

const leave = () => process.exit(0)
let idle = setTimeout(leave, idleMs)
process.on('disconnect', leave)
process.on('message', async (request: ParserRequest) => {
  clearTimeout(idle)
  process.send?.(await answer(request))
  idle = setTimeout(leave, idleMs)
})
process.send?.('ready')

async function answer(request: ParserRequest): Promise<ParserAnswer> {
  if ('pages' in request) return { pages: request.pages.map(({ source, path }) => parsePage(source, { path })) }
  // Only few sites have one.
  const { outlineSpec } = await import('../openapi/outline-spec.ts')
  return { outline: outlineSpec(request.spec) }
}
