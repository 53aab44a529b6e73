import { type ChildProcess, spawn } from 'node:child_process'
import { DocentError } from '#base/errors.ts'
import { executablePath } from '../config/executable-path.ts'

/** git as a child process that obeys nobody but us: no config of the machine, no hooks, no prompts, no protocols. */
export interface GitRun {
  args: string[]
  /** The bare repository to work on. */
  gitDir: string
  input?: string | Buffer
  /** Further variables for this one child, such as an index file or an author. */
  env?: Record<string, string>
  timeoutMs?: number
}

const hardening = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=false',
  'protocol.allow=never',
  'transfer.fsckObjects=true',
  'submodule.recurse=false',
  'gc.auto=0',
].flatMap((entry) => ['-c', entry])

const defaultTimeoutMs = 60_000
const mostErrorText = 4_000

/** What git printed. Throws `unavailable` when git is missing or too slow, `internal` when it fails. */
export async function runGit({ args, gitDir, input, env, timeoutMs = defaultTimeoutMs }: GitRun): Promise<Buffer> {
  const child = spawn('git', [...hardening, ...args], {
    env: { ...bareEnvironment(), GIT_DIR: gitDir, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what git started can be ended with it.
    detached: true,
  })
  const deadline = setTimeout(() => killGroup(child), timeoutMs)
  const out: Buffer[] = []
  let errorText = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    if (errorText.length < mostErrorText) errorText += chunk.toString('utf8')
  })
  // A child that ends before it has read its input breaks the pipe; its exit code tells what happened.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')

  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', (cause) => reject(notStarted(cause)))
    child.on('close', (code, signal) => resolve({ code, signal }))
  }).finally(() => clearTimeout(deadline))
  if (code === 0) return Buffer.concat(out)
  if (signal) throw new DocentError('unavailable', 'git.stopped', `git ${args[0]} was stopped by ${signal}.`)
  throw new DocentError('internal', 'git.failed', `git ${args[0]} failed with ${code}: ${errorText.trim()}`)
}

/** git alone is not enough: a helper of it, such as the one for https, would live on and keep our pipes open. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended just now.
  }
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
  }
}

function notStarted(cause: NodeJS.ErrnoException): DocentError {
  const message =
    cause.code === 'ENOENT' ? 'git was not found. Install git 2.30 or newer.' : `git did not start: ${cause.message}`
  return new DocentError('unavailable', 'git.missing', message, { cause })
}
