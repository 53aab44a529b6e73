import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { environmentName } from '#infra/config/settings.ts'
import { freePort } from './free-port.ts'
import { testAdminKey, testSecret } from './test-config.ts'

const root = join(import.meta.dirname, '..', '..')

/** A real `docent` process, as a user has it. */
export interface ServerProcess {
  url: string
  child: ChildProcess
  /** What it has printed so far, standard error included. */
  output(): string
  fetch(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>
  /** Sends the signal and waits for the end. Returns the exit code, or the signal's name when that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>
}

export type ProcessSettings = Record<string, string | number | boolean | undefined>

/** The environment of a child, with these settings and none of ours. */
export function childEnvironment(settings: ProcessSettings): NodeJS.ProcessEnv {
  const ours = Object.entries(settings).filter(([, value]) => value !== undefined)
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...Object.fromEntries(ours.map(([name, value]) => [environmentName(name), String(value)])),
  }
}

/** Starts `docent <command>` without waiting for anything. */
export function spawnDocent(args: string[], settings: ProcessSettings) {
  const env = childEnvironment(settings)
  const child = spawn(process.execPath, [join(root, 'src', 'app', 'main.ts'), ...args], { env, cwd: root })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (printed += chunk))
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal!)),
  )
  return { child, ended, output: () => printed }
}

/** Runs `docent <command>` to its end. */
export async function runDocent(args: string[], settings: ProcessSettings) {
  const { child, ended, output } = spawnDocent(args, settings)
  let stdout = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stdin.end()
  return { code: await ended, stdout, output: output() }
}

/** Starts `docent serve` and waits until it is ready. */
export async function startServerProcess(settings: ProcessSettings): Promise<ServerProcess> {
  const port = settings.port ?? (await freePort())
  const { child, ended, output } = spawnDocent(['serve'], {
    demo: false,
    adminKey: testAdminKey,
    secret: testSecret,
    // Many test files share the machine.
    overloadDelayMs: 0,
    rateLimitPerMinute: 1_000_000,
    port,
    ...settings,
  })
  const url = `http://127.0.0.1:${port}`
  let over: number | string | null = null
  void ended.then((code) => {
    over = code
  })
  while (!output().includes('is ready at')) {
    if (over !== null) throw new Error(`The server ended with ${over}: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url,
    child,
    output,
    fetch(path, { key = testAdminKey, headers, ...init } = {}) {
      const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
      return fetch(url + path, { ...init, headers: { ...authorization, ...(headers as Record<string, string>) } })
    },
    async end(signal) {
      child.kill(signal)
      return await ended
    },
  }
}
