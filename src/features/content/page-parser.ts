import { type ChildProcess, fork } from 'node:child_process'
import { type ParsedPage, unreadablePage } from './parse-page.ts'
import type { ParseRequest } from './parser-child.ts'

/**
 * Parses pages that anybody may have written. The parser is native code: a page made for it can take it down, and the
 * process with it, or keep it busy for ever. So it runs in child processes that may be lost, without this one's
 * environment; a page that takes its parser down is reported as one that does not parse.
 */
export interface PageParser {
  /** In the order given. Throws the signal's reason when it is aborted. */
  parse(pages: ParseRequest['pages'], options?: { signal?: AbortSignal | undefined }): Promise<ParsedPage[]>
}

export interface PageParserOptions {
  /** How long a child may take for what it was given, before it is taken for lost. */
  timeoutMs?: number
}

const childFile = new URL('./parser-child.ts', import.meta.url)
// Two keep up with the disk; more would take the machine from others.
const lanes = 2
// Large enough that messages cost little, small enough that losing one costs little.
const mostBatchCharacters = 200_000
const mostBatchPages = 50
// Of a page that is parsed in a millisecond, this is a thousand times as much.
const defaultTimeoutMs = 5_000
// A folder full of such pages must not take all day.
const leastTimeoutMs = 250
const memoryMb = 512

export function createPageParser({ timeoutMs = defaultTimeoutMs }: PageParserOptions = {}): PageParser {
  const idle: Lane[] = Array.from({ length: lanes }, createLane)
  const waiting: ((lane: Lane) => void)[] = []

  async function withLane<Result>(work: (lane: Lane) => Promise<Result>): Promise<Result> {
    const lane = idle.pop() ?? (await new Promise<Lane>((resolve) => waiting.push(resolve)))
    try {
      return await work(lane)
    } finally {
      const next = waiting.shift()
      if (next) next(lane)
      else idle.push(lane)
    }
  }

  return {
    async parse(pages, { signal } = {}) {
      let lost = 0
      const results: ParsedPage[] = new Array(pages.length)
      const parseRange = async (from: number, to: number): Promise<void> => {
        signal?.throwIfAborted()
        const batch = pages.slice(from, to)
        const limitMs = Math.max(leastTimeoutMs, timeoutMs / (1 + lost))
        const parsed = await withLane((lane) => lane.send({ pages: batch }, { timeoutMs: limitMs, signal }))
        if (parsed) for (const [index, page] of parsed.entries()) results[from + index] = page
        else if (to - from === 1) {
          lost++
          results[from] = unreadablePage(batch[0]!.source)
        } else {
          // One of them took the child down: halving finds it.
          const middle = (from + to) >> 1
          await parseRange(from, middle)
          await parseRange(middle, to)
        }
      }
      await Promise.all(batches(pages).map(([from, to]) => parseRange(from, to)))
      return results
    },
  }
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

interface Lane {
  /** Null when the child was lost over it. */
  send(
    request: ParseRequest,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<ParsedPage[] | null>
}

function createLane(): Lane {
  let child: ChildProcess | null = null

  function start(): ChildProcess {
    const started = fork(childFile, [], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // It must not keep this process from ending; without a parent it ends by itself.
    started.unref()
    started.channel?.unref()
    const forget = () => {
      if (child === started) child = null
    }
    started.on('exit', forget)
    started.on('disconnect', forget)
    started.on('error', forget)
    return started
  }

  return {
    async send(request, { timeoutMs, signal }) {
      signal?.throwIfAborted()
      child ??= start()
      const used = child
      used.ref()
      used.channel?.ref()
      try {
        return await new Promise((resolve, reject) => {
          const end = (result: ParsedPage[] | null, isLost: boolean) => {
            clearTimeout(timer)
            used.off('message', onMessage).off('exit', onExit).off('error', onExit)
            signal?.removeEventListener('abort', onAbort)
            if (isLost) {
              if (child === used) child = null
              used.kill('SIGKILL')
            }
            resolve(result)
          }
          const onMessage = (parsed: unknown) => end(parsed as ParsedPage[], false)
          const onExit = () => end(null, true)
          const onAbort = () => {
            end(null, true)
            reject(signal?.reason)
          }
          const timer = setTimeout(() => end(null, true), timeoutMs)
          used.on('message', onMessage).on('exit', onExit).on('error', onExit)
          signal?.addEventListener('abort', onAbort)
          used.send(request, (error) => {
            if (error) end(null, true)
          })
        })
      } finally {
        used.unref()
        used.channel?.unref()
      }
    },
  }
}
