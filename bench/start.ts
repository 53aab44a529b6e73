// How long a start takes and what an idle server weighs, beside what it stands on: an empty Node process and PGlite
// alone. Run: node_modules/.bin/node bench/start.ts [rounds]
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../tests/harness/free-port.ts'
import { childEnvironment } from '../tests/harness/server-process.ts'
import { median, printTable } from './table.ts'

const rounds = Number(process.argv[2] ?? 5)
const idleSeconds = 10
const root = join(import.meta.dirname, '..')

interface Measured {
  startMs: number
  memoryMb: number
  peakMb: number
}

/** Starts a program, waits for the word that says it is ready, lets it idle, and ends it. */
async function measure(
  command: string,
  args: string[],
  { env, readyWord }: { env: NodeJS.ProcessEnv; readyWord: string },
): Promise<Measured> {
  const startedAt = performance.now()
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.includes(readyWord)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${printed}`)))
  })
  const startMs = performance.now() - startedAt
  await sleep(idleSeconds * 1000)
  const memory = memoryOf(child)
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.removeAllListeners('exit')
  child.kill('SIGTERM')
  await ended
  return { startMs, ...memory }
}

/** What the process keeps to itself, without pages of files that the system could drop; and the most it ever had. */
function memoryOf({ pid }: ChildProcess): { memoryMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { memoryMb: megabytes('RssAnon') + megabytes('RssShmem'), peakMb: megabytes('VmHWM') }
}

const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
const node = process.execPath
const main = join(root, 'src', 'app', 'main.ts')
const serverEnv = async (data: string) => childEnvironment({ data, port: await freePort() })
const plain = childEnvironment({})
const idle = 'setInterval(() => {}, 1000); console.log("ready")'
const pgliteOnly = (data: string) =>
  `import { openPglite } from './src/infra/db/pglite.ts'; await openPglite({ folder: ${JSON.stringify(data)}, onProgress() {} }); ${idle}`

const results: [string, Measured[]][] = [
  ['empty Node process', []],
  ['PGlite alone', []],
  ['PGlite alone, not optimised by V8', []],
  ['docent serve, first start', []],
  ['docent serve, later start', []],
]
const [empty, pglite, lean, first, later] = results.map(([, measured]) => measured) as [
  Measured[],
  Measured[],
  Measured[],
  Measured[],
  Measured[],
]
for (let round = 0; round < rounds; round++) {
  const data = join(folder, `data-${round}`)
  const ready = { readyWord: 'is ready at' }
  empty.push(await measure(node, ['-e', idle], { env: plain, readyWord: 'ready' }))
  first.push(await measure(node, [main, 'serve'], { env: await serverEnv(data), ...ready }))
  later.push(await measure(node, [main, 'serve'], { env: await serverEnv(data), ...ready }))
  const args = ['--input-type=module-typescript', '-e', pgliteOnly(join(data, 'pg'))]
  pglite.push(await measure(node, args, { env: plain, readyWord: 'ready' }))
  const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
  lean.push(await measure(node, [...flags, ...args], { env: plain, readyWord: 'ready' }))
}
await rm(folder, { recursive: true, force: true })

const of = (measured: Measured[], field: keyof Measured) => median(measured.map((one) => one[field]))
console.log(`Medians of ${rounds}, memory after ${idleSeconds} s idle (RssAnon + RssShmem)\n`)
const ratio = (measured: Measured[], field: keyof Measured) => (of(measured, field) / of(pglite, field)).toFixed(2)
printTable(
  ['', 'start ms', 'to PGlite', 'idle MB', 'to PGlite', 'peak MB', 'to PGlite'],
  results.map(([name, measured]) => [
    name,
    Math.round(of(measured, 'startMs')),
    ratio(measured, 'startMs'),
    Math.round(of(measured, 'memoryMb')),
    ratio(measured, 'memoryMb'),
    Math.round(of(measured, 'peakMb')),
    ratio(measured, 'peakMb'),
  ]),
)
