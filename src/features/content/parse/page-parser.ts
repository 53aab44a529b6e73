import { DocentError } from '#base/errors.ts'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import { createChildPool } from './child-pool.ts'
import { type ParsedPage, unreadablePage } from './parse-page.ts'
import type { OutlineRequest, ParseRequest, ParserAnswer, ParserRequest } from './parser-child.ts'

/**
 * Parses pages that anybody may have written. The parser is native code: a page made for it can take it down, and the
 * process with it, or keep it busy for ever. So it runs in child processes that may be lost, without this one's
 * environment; a page that takes its parser down is reported as one that does not parse.
 */
export interface PageParser {
  /**
   * In the order given. Throws the signal's reason when it is aborted, and `invalid` when too many pages take their
   * parser down.
   */
  parse(pages: ParseRequest['pages'], options?: ParseOptions): Promise<ParsedPage[]>
  /** What a specification has; null when it is none, or too much. */
  outline(spec: OutlineRequest['spec']): Promise<SpecOutline | null>
  /** Starts a child if none runs, for whoever will need one soon: starting takes longer than parsing a few pages. */
  prepare(): void
}

export interface ParseOptions {
  signal?: AbortSignal | undefined
  /** How many pages were lost so far, for calls that belong together; they count on from there. */
  losses?: { count: number }
}

export interface PageParserOptions {
  /** How long a child may work on what it was given, before it is taken for lost. */
  timeoutMs?: number
}

const childFile = new URL('./parser-child.ts', import.meta.url)
// Large enough that messages cost little, small enough that losing one costs little.
const mostBatchCharacters = 200_000
const mostBatchPages = 50
// Of a page that is parsed in a millisecond, this is a thousand times as much.
const defaultTimeoutMs = 3_000
// Specifications have up to several megabytes.
const outlineMs = 10_000
// A folder full of such pages must not take all day.
const leastTimeoutMs = 500
// Each costs a child and its time, and a repository may have any number of them.
const mostLosses = 10
const memoryMb = 512

export function createPageParser({ timeoutMs = defaultTimeoutMs }: PageParserOptions = {}): PageParser {
  const pool = createChildPool<ParserRequest, ParserAnswer>({ childFile, memoryMb })

  return {
    prepare: () => pool.prepare(),

    async parse(pages, { signal, losses = { count: 0 } } = {}) {
      const results: ParsedPage[] = new Array(pages.length)
      const parseRange = async (from: number, to: number): Promise<void> => {
        signal?.throwIfAborted()
        if (losses.count > mostLosses) return
        const batch = pages.slice(from, to)
        const limitMs = Math.max(leastTimeoutMs, timeoutMs / (1 + losses.count))
        const answer = await pool.run({ pages: batch }, { timeoutMs: limitMs, signal })
        const parsed = answer && 'pages' in answer ? answer.pages : null
        if (parsed) for (const [index, page] of parsed.entries()) results[from + index] = page
        else if (to - from === 1) {
          losses.count++
          if (losses.count > mostLosses) throw tooManyLosses(batch[0]!.path)
          results[from] = unreadablePage()
        } else {
          // One of them took the child down. Halving would let it use up its time again and again.
          for (let at = from; at < to; at++) await parseRange(at, at + 1)
        }
      }
      await Promise.all(batches(pages).map(([from, to]) => parseRange(from, to)))
      return results
    },

    async outline(spec) {
      const answer = await pool.run({ spec }, { timeoutMs: outlineMs })
      return answer && 'outline' in answer ? answer.outline : null
    },
  }
}

function tooManyLosses(path: string): DocentError {
  const message = `More than ${mostLosses} pages, the last of them ${path}, nest too deeply or are too large to be parsed. Mend them, or leave them out by .mintignore.`
  return new DocentError('invalid', 'content.too_many_unreadable', message)
}

function batches(pages: ParseRequest['pages']): [number, number][] {
  const found: [number, number][] = []
  let from = 0
  let characters = 0
  for (const [index, { source }] of pages.entries()) {
    if (index > from && (characters + source.length > mostBatchCharacters || index - from >= mostBatchPages)) {
      found.push([from, index])
      from = index
      characters = 0
    }
    characters += source.length
  }
  if (from < pages.length) found.push([from, pages.length])
  return found
}
