import { DocentError, toDocentError } from '#base/errors.ts'
import type { Recent } from '../files/recent.ts'
import { objectMissing } from './damage.ts'
import { type GitChild, spawnGit } from './run-git.ts'

export interface GitObject {
  type: 'blob' | 'tree' | 'commit' | 'tag'
  content: Buffer
}

/** The objects of a repository through one long-lived child. Requests may be made without waiting for the last one. */
export interface ObjectReader extends AsyncDisposable {
  /** Null when there is no such object. Throws `unavailable` when the child was stopped. */
  read(id: string): Promise<GitObject | null>
}

interface Request {
  key: string
  settle(object: GitObject | null): void
  fail(error: DocentError): void
}

// `cat-file` ends by itself when its input does: it does not outlive us, however we end.
export function openObjectReader({
  gitDir,
  known,
  signal,
}: {
  gitDir: string
  /** Objects that need not be asked for; what is read is added. */
  known?: Recent<GitObject> | undefined
  signal?: AbortSignal | undefined
}): ObjectReader {
  // By number, for answers come in the order of the requests; taking the first of a long array is slow.
  const waiting = new Map<number, Request>()
  let requests = 0
  let answers = 0
  let child: GitChild | null = null
  let asked = ''
  let stopped: DocentError | null = null

  function stop(error: DocentError): void {
    stopped ??= error
    for (const request of waiting.values()) request.fail(stopped)
    waiting.clear()
  }

  function start(): GitChild {
    const started = spawnGit({ gitDir, signal, args: ['cat-file', '--batch-command', '--buffer'] })
    let said = ''
    started.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 1000) said += chunk.toString('utf8')
    })
    started.stdout.on(
      'data',
      createAnswerParser((object) => {
        const request = waiting.get(answers)
        waiting.delete(answers++)
        if (object && request) known?.keep(request.key, object)
        request?.settle(object)
      }),
    )
    started.ended.then(
      async ({ code, signal: endedBy }) => {
        // It ends by itself only when it meets an object that it cannot read.
        if (endedBy === null && !stopped) stop(await objectMissing(gitDir, `object that was asked for: ${said.trim()}`))
        else stop(new DocentError('unavailable', 'git.stopped', `git cat-file was stopped by ${endedBy ?? code}.`))
      },
      (error: DocentError) => stop(error),
    )
    return started
  }

  /** What was asked for at once goes in one piece and is answered so: thousands of small ones cost little more than one. */
  function send(): void {
    const wanted = asked
    asked = ''
    if (stopped) return
    try {
      child ??= start()
      child.stdin.write(`${wanted}flush\n`)
    } catch (error) {
      stop(toDocentError(error))
    }
  }

  return {
    read(id) {
      if (stopped) return Promise.reject(stopped)
      // Anything else could be two lines, of which the second asks for something else.
      if (!/^[0-9a-f]{40}$/.test(id)) return Promise.resolve(null)
      const key = `${gitDir} ${id}`
      const object = known?.find(key)
      if (object) return Promise.resolve(object)
      if (asked === '') queueMicrotask(send)
      asked += `contents ${id}\n`
      return new Promise((settle, fail) => waiting.set(requests++, { key, settle, fail }))
    },
    async [Symbol.asyncDispose]() {
      stop(new DocentError('unavailable', 'git.stopped', 'git cat-file is closed.'))
      child?.kill()
      await child?.ended.catch(() => {})
    },
  }
}

/** Answers are `<id> <type> <size>\n<content>\n`, or `<id> missing\n`. Chunks are joined once an object. */
function createAnswerParser(onAnswer: (object: GitObject | null) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let head: { type: GitObject['type']; size: number } | null = null

  function join(): Buffer {
    const joined = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = [joined]
    return joined
  }

  return (chunk) => {
    parts.push(chunk)
    bytes += chunk.length
    for (;;) {
      if (head === null) {
        const joined = join()
        const end = joined.indexOf(10)
        if (end < 0) return
        const [, type, size] = joined.toString('latin1', 0, end).split(' ')
        parts = [joined.subarray(end + 1)]
        bytes -= end + 1
        if (size === undefined) onAnswer(null)
        else head = { type: type as GitObject['type'], size: Number(size) }
      } else {
        if (bytes < head.size + 1) return
        const joined = join()
        // A copy, as a part of the chunk would keep all of it in memory.
        const content = Buffer.from(joined.subarray(0, head.size))
        parts = [joined.subarray(head.size + 1)]
        bytes -= head.size + 1
        const { type } = head
        head = null
        onAnswer({ type, content })
      }
    }
  }
}
