// What a request costs beside the least a server can do: requests a second of a bare Fastify that answers a fixed
// string, of our probe, and of an authenticated read that takes one query; the read also with PGlite optimised by V8,
// which main.ts leaves out. Run: node_modules/.bin/node bench/http.ts [seconds]
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../tests/harness/free-port.ts'
import { childEnvironment } from '../tests/harness/server-process.ts'
import { testAdminKey } from '../tests/harness/test-config.ts'
import { printTable } from './table.ts'

const seconds = Number(process.argv[2] ?? 5)
const root = join(import.meta.dirname, '..')
const authorization = { authorization: `Bearer ${testAdminKey}` }

interface Running {
  url: string
  stop(): Promise<void>
}

/** Runs a program that listens on this port, and waits for the word that says so. */
async function start(args: string[], { port, data }: { port: number; data?: string }): Promise<Running> {
  const settings = { port, data, adminKey: testAdminKey, rateLimitPerMinute: 1_000_000, logLevel: 'warn' }
  const env = childEnvironment(data ? settings : {})
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk) => String(chunk).includes('is ready at') && resolve()),
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function measure(name: string, url: string, headers: Record<string, string>) {
  await autocannon({ url, headers, connections: 10, duration: Math.min(3, seconds) })
  const { requests, latency } = await autocannon({ url, headers, connections: 10, duration: seconds })
  return { name, perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

async function demoUrl({ url }: Running): Promise<string> {
  const answer = await fetch(`${url}/v1/projects`, { headers: authorization })
  const { projects } = (await answer.json()) as { projects: { id: string }[] }
  return `${url}/v1/projects/${projects[0]!.id}`
}

const data = await mkdtemp(join(tmpdir(), 'docent-bench-'))
const rows: Awaited<ReturnType<typeof measure>>[] = []

const barePort = await freePort()
const bareScript = `import Fastify from 'fastify'; const app = Fastify(); app.get('/', async () => ({ status: 'ok' })); await app.listen({ port: ${barePort} }); console.log('is ready at')`
const bare = await start(['--input-type=module', '-e', bareScript], { port: barePort })
rows.push(await measure('bare Fastify, fixed answer', bare.url, {}))
await bare.stop()

const docent = await start(['src/app/main.ts', 'serve'], { port: await freePort(), data })
rows.push(await measure('GET /healthz', `${docent.url}/healthz`, {}))
rows.push(await measure('GET /v1/projects/{id}', await demoUrl(docent), authorization))
rows.push(await measure('the same, bad key (401)', await demoUrl(docent), { authorization: 'Bearer docent_bad' }))
await docent.stop()

const script = `const { runCli } = await import('./src/app/cli/cli.ts'); process.exit(await runCli(['serve']))`
const optimised = await start(['--input-type=module', '-e', script], { port: await freePort(), data })
rows.push(await measure('GET /v1/projects/{id}, PGlite optimised', await demoUrl(optimised), authorization))
await optimised.stop()
await rm(data, { recursive: true, force: true })

console.log(`10 connections, ${seconds} s each, embedded database\n`)
const bareSpeed = rows[0]!.perSecond
printTable(
  ['', 'requests/s', 'to bare', 'p50 ms', 'p99 ms'],
  rows.map(({ name, perSecond, p50, p99 }) => [
    name,
    Math.round(perSecond),
    (perSecond / bareSpeed).toFixed(3),
    p50,
    p99,
  ]),
)
