import { Worker } from 'node:worker_threads'

/** A line as pieces of so many characters, each with its kind; see token-theme.ts. */
export type LineTokens = [length: number, kind: number][]

export interface HighlightRequest {
  id: number
  language: string
  text: string
}

export interface HighlightAnswer {
  id: number
  lines: LineTokens[]
}

/** Colours source text, off the request's path and within a budget. */
export interface Highlighter {
  /** For each text its lines, or null where there was no grammar or no time for it. */
  highlight(texts: { path: string; text: string }[]): Promise<(LineTokens[] | null)[]>
  /** Ends the thread. It starts again when it is needed. */
  close(): Promise<void>
}

const languages: [RegExp, string][] = [
  [/\.mdx$/i, 'mdx'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.(json|jsonc|json5|webmanifest)$/i, 'json'],
  [/\.ya?ml$/i, 'yaml'],
]

const mostCharacters = 100_000
// A page is worth this much waiting; what is not coloured by then is shown plain.
const budgetMs = 3_000
const idleMs = 60_000

export function languageOf(path: string): string | null {
  return languages.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

export function createHighlighter({ timeoutMs = budgetMs }: { timeoutMs?: number } = {}): Highlighter {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  const waiting = new Map<number, (lines: LineTokens[] | null) => void>()

  function start(): Worker {
    const thread = new Worker(new URL('./highlight-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    // It must not keep a process alive that has nothing else to do.
    thread.unref()
    thread.on('message', ({ id, lines }: HighlightAnswer) => waiting.get(id)?.(lines))
    const gone = () => {
      if (worker === thread) worker = undefined
      for (const answer of waiting.values()) answer(null)
    }
    thread.on('error', gone)
    thread.on('exit', gone)
    return thread
  }

  async function one({ path, text }: { path: string; text: string }): Promise<LineTokens[] | null> {
    const language = languageOf(path)
    if (language === null || text.length > mostCharacters || text === '') return null
    worker ??= start()
    const id = ++lastId
    const answer = new Promise<LineTokens[] | null>((resolve) => waiting.set(id, resolve))
    worker.postMessage({ id, language, text } satisfies HighlightRequest)
    return await answer.finally(() => waiting.delete(id))
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const thread = worker
    worker = undefined
    await thread?.terminate()
  }

  return {
    async highlight(texts) {
      clearTimeout(idle)
      // The only way to stop a search that does not end.
      const deadline = setTimeout(() => void close(), timeoutMs)
      try {
        return await Promise.all(texts.map(one))
      } finally {
        clearTimeout(deadline)
        idle = setTimeout(() => void close(), idleMs).unref()
      }
    },
    close,
  }
}
