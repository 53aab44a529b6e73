import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { DocentError } from '#base/errors.ts'
import { type ParsedPage, unreadablePage } from './parse-page.ts'
import type { ParseRequest } from './parser-child.ts'

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
// Two keep up with the disk; more would take the machine from others.
const lanes = 2
// Large enough that messages cost little, small enough that losing one costs little.
const mostBatchCharacters = 200_000
const mostBatchPages = 50
// Of a page that is parsed in a millisecond, this is a thousand times as much.
const defaultTimeoutMs = 3_000
// A folder full of such pages must not take all day.
const leastTimeoutMs = 500
const lookEveryMs = 50
// Each costs a child and its time, and a repository may have any number of them.
const mostLosses = 10
// A child that gets no turn for this many times its limit will not get one.
const mostWaiting = 20
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
    prepare() {
      idle.at(-1)?.start()
    },

    async parse(pages, { signal, losses = { count: 0 } } = {}) {
      const results: ParsedPage[] = new Array(pages.length)
      const parseRange = async (from: number, to: number): Promise<void> => {
        signal?.throwIfAborted()
        if (losses.count > mostLosses) return
        const batch = pages.slice(from, to)
        const limitMs = Math.max(leastTimeoutMs, timeoutMs / (1 + losses.count))
        const parsed = await withLane((lane) => lane.send({ pages: batch }, { timeoutMs: limitMs, signal }))
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

interface Lane {
  start(): void
  /** Null when the child was lost over it. */
  send(
    request: ParseRequest,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<ParsedPage[] | null>
}

function createLane(): Lane {
  let running: Promise<ChildProcess> | null = null

  function run(): Promise<ChildProcess> {
    const used = running ?? startChild(() => forget(used))
    running = used
    return used
  }

  return {
    start() {
      const used = run()
      // Whoever sends something tries again, and is told if it does not start.
      used.then(release, () => forget(used))
    },

    async send(request, { timeoutMs, signal }) {
      signal?.throwIfAborted()
      const used = run()
      const child = await used.catch((error: unknown) => {
        forget(used)
        throw error
      })
      // Starting it takes a while, in which the caller may have changed their mind.
      signal?.throwIfAborted()
      // Only while it works does it keep this process from ending.
      child.ref()
      child.channel?.ref()
      let answer: ParsedPage[] | null = null
      try {
        answer = await ask(child, request, { timeoutMs, signal })
        return answer
      } finally {
        // Its end may be told later than the next request comes.
        if (answer === null) forget(used)
        release(child)
      }
    },
  }

  function forget(used: Promise<ChildProcess>): void {
    if (running === used) running = null
  }
}

/** Nobody waits for it any more. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

/** A child that is ready: what starting it takes counts for no page. */
async function startChild(onEnd: () => void): Promise<ChildProcess> {
  const child = fork(childFile, [], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a parent it ends by itself; it is forgotten before anybody could send it more.
  child.once('exit', onEnd).once('disconnect', onEnd)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('error', (error) => reject(cannotStart(error)))
    child.once('exit', () => reject(cannotStart()))
  })
  child.removeAllListeners('error').on('error', onEnd)
  return child
}

function cannotStart(cause?: unknown): DocentError {
  return new DocentError('unavailable', 'content.no_parser', 'The process that parses pages does not start.', { cause })
}

/** What the child answers; null when it ended, or was ended because it worked on it for too long. */
async function ask(
  child: ChildProcess,
  request: ParseRequest,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<ParsedPage[] | null> {
  const isLate = createStopwatch(child, timeoutMs)
  return await new Promise((resolve, reject) => {
    const end = (result: ParsedPage[] | null) => {
      clearInterval(timer)
      child.off('message', end).off('exit', onLost)
      signal?.removeEventListener('abort', onAbort)
      if (result === null) child.kill('SIGKILL')
      resolve(result)
    }
    const onLost = () => end(null)
    const onAbort = () => {
      reject(signal?.reason)
      end(null)
    }
    const timer = setInterval(() => {
      if (isLate()) end(null)
    }, lookEveryMs)
    child.on('message', end).on('exit', onLost)
    signal?.addEventListener('abort', onAbort)
    // It may have ended for want of work since it was last asked.
    if (child.connected) child.send(request, (error) => error && end(null))
    else end(null)
  })
}

/**
 * Says when the child has worked for so long. Where the system tells it, its own time is counted: on a busy machine a
 * good page must not be taken for a bad one because others had their turn.
 */
function createStopwatch(child: ChildProcess, timeoutMs: number): () => boolean {
  const started = performance.now()
  const workedBefore = workedMs(child)
  return () => {
    const passed = performance.now() - started
    const worked = workedMs(child)
    if (worked === null || workedBefore === null) return passed > timeoutMs
    return worked - workedBefore > timeoutMs || passed > timeoutMs * mostWaiting
  }
}

/** Processor time of a process, from Linux's /proc; null elsewhere. */
function workedMs({ pid }: ChildProcess): number | null {
  try {
    // The name comes second, in parentheses, and may hold anything; user and system time are the 12th and 13th after.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}
