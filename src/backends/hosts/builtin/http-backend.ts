import type { Readable, Writable } from 'node:stream'
import { DocentError } from '#base/errors.ts'
import { spawnGit } from '#infra/git/run-git.ts'
import { createTurnstile } from './turnstile.ts'

/** A request of a git client, after it was decided that it may be made. */
export interface GitRequest {
  projectId: string
  method: string
  /** `info/refs`, `git-upload-pack` or `git-receive-pack`. */
  path: string
  query: string
  headers: Record<string, string | undefined>
  /** Null for a GET. */
  body: Readable | null
  mayPush: boolean
  /** Name for the log of references; git wants one before it takes a push. */
  user: string
  /** Aborts when the client is gone: nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface GitAnswer {
  status: number
  headers: Record<string, string>
  body: Readable
  /** When git has ended, however it ended. */
  ended: Promise<void>
}

/** git's own server for its smart protocol over HTTP, as a child process for each request. */
export interface HttpBackend {
  /** Throws `unavailable` when too many are under way or git does not start. */
  serve(request: GitRequest): Promise<GitAnswer>
}

export interface HttpBackendOptions {
  folder: string
  /** Largest push, in bytes. */
  mostBytes: number
  /** Longest time that one request may take. */
  timeoutMs?: number
}

// Each is a process or three; more of them at a time do not make two cores faster.
const mostAtOnce = 8
const mostWaiting = 64
const waitMs = 30_000
const defaultTimeoutMs = 3_600_000
// Before what does not notice that its client is gone is killed.
const graceMs = 3_000
// The part of a CGI answer before the empty line; git's has four lines.
const mostHeadBytes = 16_384

export function createHttpBackend({
  folder,
  mostBytes,
  timeoutMs = defaultTimeoutMs,
}: HttpBackendOptions): HttpBackend {
  const turnstile = createTurnstile({ places: mostAtOnce, mostWaiting, waitMs })
  return {
    async serve(request) {
      const leave = await turnstile.enter(request.signal)
      try {
        const answer = await run({ request, folder, mostBytes, timeoutMs })
        void answer.ended.finally(leave)
        return answer
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

async function run({
  request,
  folder,
  mostBytes,
  timeoutMs,
}: {
  request: GitRequest
  folder: string
  mostBytes: number
  timeoutMs: number
}): Promise<GitAnswer> {
  const { body, signal } = request
  const git = spawnGit({
    args: [...configOf(request, mostBytes), 'http-backend'],
    env: environmentOf(request, folder),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { stdin, stdout, stderr } = git
  // First by its pipes: a git that ends by itself leaves no lock behind.
  const leave = () => {
    stdin.destroy()
    stdout.destroy()
    setTimeout(() => git.kill(), graceMs).unref()
  }
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  stderr.resume()
  const ended = git.ended
    .then(
      () => {},
      () => {},
    )
    .finally(() => signal.removeEventListener('abort', leave))
  let refusal: DocentError | undefined
  if (body) {
    feed({ body, stdin, mostBytes }, (error) => {
      refusal = error
      git.kill()
    })
  } else stdin.end()
  const head = await readHead(stdout)
  if (!head) {
    git.kill()
    await ended
    throw refusal ?? new DocentError('unavailable', 'git.no_answer', 'git ended without an answer. Try again.')
  }
  return { ...head, ended }
}

function configOf({ mayPush }: GitRequest, mostBytes: number): string[] {
  const entries = [
    `http.receivepack=${mayPush}`,
    'http.uploadpack=true',
    'http.getanyfile=false',
    'receive.autogc=false',
    // What a small compressed body unpacks to counts as well.
    `receive.maxInputSize=${mostBytes}`,
    'receive.advertisePushOptions=false',
    'uploadpack.allowFilter=true',
    'uploadpack.allowAnySHA1InWant=false',
  ]
  return entries.flatMap((entry) => ['-c', entry])
}

function environmentOf({ projectId, method, path, query, headers, user }: GitRequest, folder: string) {
  const optional = {
    CONTENT_TYPE: headers['content-type'],
    CONTENT_LENGTH: headers['content-length'],
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    // Only what the protocol knows: it becomes a variable of a child.
    GIT_PROTOCOL: /^version=\d(:[\w=-]+)*$/.test(headers['git-protocol'] ?? '') ? headers['git-protocol'] : undefined,
  }
  const given = Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${projectId}.git/${path}`,
    REQUEST_METHOD: method,
    QUERY_STRING: query,
    REMOTE_USER: user,
    ...Object.fromEntries(given),
  }
}

/**
 * Passes the body on to git. What git does not want any more is read and thrown away, as a client reads no answer before
 * it has sent everything; but not for ever.
 */
function feed(
  { body, stdin, mostBytes }: { body: Readable; stdin: Writable; mostBytes: number },
  onTooLarge: (error: DocentError) => void,
): void {
  let count = 0
  let isWanted = true
  stdin.once('close', () => {
    isWanted = false
    body.resume()
  })
  stdin.on('drain', () => body.resume())
  body.on('data', (chunk: Buffer) => {
    count += chunk.length
    if (count > 2 * mostBytes) body.destroy()
    if (!isWanted) return
    if (count > mostBytes) {
      isWanted = false
      onTooLarge(pushTooLarge(mostBytes))
    } else if (!stdin.write(chunk)) body.pause()
  })
  body.once('end', () => stdin.end())
  body.once('error', () => stdin.destroy())
}

export function pushTooLarge(mostBytes: number): DocentError {
  const message = `The push is larger than this server takes (${Math.floor(mostBytes / 1_000_000)} MB). DOCENT_GIT_PUSH_LIMIT_MB raises it.`
  return new DocentError('too_large', 'git.push_too_large', message)
}

/** Reads the head of a CGI answer; what is left in the stream is the body. Null when it ended before that. */
async function readHead(stdout: Readable): Promise<Omit<GitAnswer, 'ended'> | null> {
  let head = Buffer.alloc(0)
  const end = await new Promise<number>((resolve) => {
    const none = () => resolve(-1)
    const take = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const at = head.indexOf('\r\n\r\n')
      if (at < 0 && head.length < mostHeadBytes) return
      stdout.off('data', take).off('end', none).off('close', none)
      stdout.pause()
      resolve(at)
    }
    stdout.on('data', take).once('end', none).once('close', none)
    // Without it, an error of the pipe would end this process.
    stdout.on('error', none)
  })
  if (end < 0) return null
  stdout.unshift(head.subarray(end + 4))
  const headers: Record<string, string> = {}
  let status = 200
  for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    if (name === 'status') status = Number.parseInt(value, 10) || 500
    else headers[name] = value
  }
  return { status, headers, body: stdout }
}
