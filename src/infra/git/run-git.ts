import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { DocentError } from '#base/errors.ts'
import { executablePath } from '../config/executable-path.ts'

/** git as a child process that obeys nobody but us: no config of the machine, no hooks, no prompts, no protocols. */
export interface GitCommand {
  args: string[]
  /** The bare repository to work on; left out only by programs that find theirs by other variables. */
  gitDir?: string
  /** Further variables for this one child, such as an author or a credential. */
  env?: Record<string, string>
  /** What it may speak to other repositories with. Left out: nothing. */
  protocols?: ('http' | 'https' | 'file')[]
  /** Ends the child with all that it has started. */
  signal?: AbortSignal | undefined
}

export interface GitRun extends GitCommand {
  input?: string | Buffer
  timeoutMs?: number
  /** The child is ended when it has printed this much; `isCut` then says so. */
  mostBytes?: number
}

export interface GitOutcome {
  code: number
  stdout: Buffer
  /** The first of what it said, in English. */
  stderr: string
  isCut: boolean
}

/** A git that lives on, with its raw streams. Whoever starts one sees to its end. */
export interface GitChild {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Ends it at once, with everything it has started. */
  kill(): void
  /** How it ended, when its streams are closed too. Rejects with `unavailable` when it could not be started. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

// Attributes are read from nowhere: newer gits take them from a commit when there is no working tree.
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const hardening = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=false',
  'core.attributesFile=/dev/null',
  `attr.tree=${emptyTree}`,
  'protocol.allow=never',
  'protocol.version=2',
  'transfer.fsckObjects=true',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((entry) => ['-c', entry])

const defaultTimeoutMs = 60_000
const mostErrorText = 4_000

export const oldestGit = [2, 38] as const

/** What git printed. Throws `unavailable` when git is missing, too slow or was stopped, `internal` when it fails. */
export async function runGit(run: GitRun): Promise<Buffer> {
  const { code, stdout, stderr } = await attemptGit(run)
  if (code === 0) return stdout
  throw gitFailed(run.args, code, stderr)
}

function stopped(args: string[], by: string): DocentError {
  return new DocentError('unavailable', 'git.stopped', `git ${args[0]} was stopped by ${by}.`)
}

export function gitFailed(args: string[], code: number, stderr: string): DocentError {
  return new DocentError('internal', 'git.failed', `git ${args[0]} failed with ${code}: ${stderr.trim()}`)
}

/** How git ended, for callers that know what its exit codes mean. Throws `unavailable` when it was stopped. */
export async function attemptGit(run: GitRun): Promise<GitOutcome> {
  const { args, input, timeoutMs = defaultTimeoutMs, mostBytes = Number.POSITIVE_INFINITY } = run
  const child = spawnGit(run)
  const deadline = setTimeout(() => child.kill(), timeoutMs)
  const out: Buffer[] = []
  let bytes = 0
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (bytes < mostBytes) out.push(chunk)
    bytes += chunk.length
    if (bytes > mostBytes) child.kill()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < mostErrorText) stderr += chunk.toString('utf8')
  })
  child.stdin.end(input ?? '')
  const { code, signal } = await child.ended.finally(() => clearTimeout(deadline))
  if (bytes > mostBytes) return { code: 0, stdout: Buffer.concat(out).subarray(0, mostBytes), stderr, isCut: true }
  // The second is a helper of git that somebody killed; git then fails by itself.
  const killed = signal ?? /died of (signal \d+)/.exec(stderr)?.[1]
  if (code === null || (code !== 0 && killed)) {
    throw stopped(args, String(killed))
  }
  return { code, stdout: Buffer.concat(out), stderr, isCut: false }
}

/** Throws `unavailable` at once when `signal` is aborted already. */
export function spawnGit({ args, gitDir, env, protocols = [], signal }: GitCommand): GitChild {
  if (signal?.aborted) throw stopped(args, 'its caller')
  const allowed = protocols.flatMap((protocol) => ['-c', `protocol.${protocol}.allow=always`])
  const child = spawn('git', [...hardening, ...allowed, ...args], {
    env: { ...bareEnvironment(), ...(gitDir === undefined ? {} : { GIT_DIR: resolve(gitDir) }), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // So that nothing of the folder that we were started in is taken for a working tree.
    cwd: '/',
    // A group of its own, so that what git started can be ended with it.
    detached: true,
  })

  /** git alone is not enough: a helper of it, such as the one for https, would live on and keep our pipes open. */
  function kill(): void {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It ended just now.
    }
  }

  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((settle, reject) => {
    child.on('error', (cause) => reject(notStarted(cause)))
    // When it was killed, what it has started keeps our pipes open.
    child.on('exit', (_, endedBy) => {
      if (endedBy) kill()
    })
    child.on('close', (code, endedBy) => settle({ code, signal: endedBy }))
  }).finally(() => signal?.removeEventListener('abort', kill))
  // Not everybody waits for the end.
  ended.catch(() => {})
  // A child that ends before it has read its input breaks the pipe; how it ended tells what happened.
  child.stdin.on('error', () => {})
  signal?.addEventListener('abort', kill, { once: true })
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, kill, ended }
}

/** Made from nothing, so that no variable or file of this machine changes what git does. */
function bareEnvironment(): Record<string, string> {
  return {
    PATH: executablePath(),
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    // An object is what its id says, whatever else a repository wants it to be taken for.
    GIT_NO_REPLACE_OBJECTS: '1',
    // Paths of a repository are names, not patterns.
    GIT_LITERAL_PATHSPECS: '1',
    // Fixed, as later gits have other defaults.
    GIT_DEFAULT_HASH: 'sha1',
    GIT_DEFAULT_REF_FORMAT: 'files',
  }
}

function notStarted(cause: NodeJS.ErrnoException): DocentError {
  const message =
    cause.code === 'ENOENT'
      ? `git was not found. Install git ${oldestGit.join('.')} or newer.`
      : `git did not start: ${cause.message}`
  return new DocentError('unavailable', 'git.missing', message, { cause })
}
