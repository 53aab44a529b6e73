import { enableCompileCache } from 'node:module'
import type { ParsedPage } from './parse-page.ts'

/** What the parent sends, and gets a list of parsed pages for. First of all it gets a word that this is ready. */
export interface ParseRequest {
  pages: { source: string; path: string }[]
}

// Before anything is loaded: compiling it takes longer than all else that a start does.
enableCompileCache()
const { parsePage } = await import('./parse-page.ts')

// Memory goes back when nothing is asked for a while. The parent starts another when it needs one.
const idleMs = 30_000

const leave = () => process.exit(0)
let idle = setTimeout(leave, idleMs)
process.on('disconnect', leave)
process.on('message', ({ pages }: ParseRequest) => {
  clearTimeout(idle)
  const parsed: ParsedPage[] = pages.map(({ source, path }) => parsePage(source, { path }))
  process.send?.(parsed)
  idle = setTimeout(leave, idleMs)
})
process.send?.('ready')
