// What a request costs beside the least a server can do: requests a second of a bare Fastify that answers a fixed
// string, of our probe, and of an authenticated read that takes one query. Run: node_modules/.bin/node bench/http.ts [seconds]
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../tests/harness/free-port.ts'
import { startServerProcess } from '../tests/harness/server-process.ts'
import { testAdminKey } from '../tests/harness/test-config.ts'
import { printTable } from './table.ts'

const seconds = Number(process.argv[2] ?? 5)

const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
const server = await startServerProcess({ data: folder, rateLimitPerMinute: 1_000_000, demo: true, logLevel: 'warn' })
const { projects } = (await (await server.fetch('/v1/projects')).json()) as { projects: { id: string }[] }

const port = await freePort()
const bareScript = `import Fastify from 'fastify'; const app = Fastify(); app.get('/', async () => ({ status: 'ok' })); await app.listen({ port: ${port} }); console.log('ready')`
const bare = spawn(process.execPath, ['--input-type=module', '-e', bareScript], {
  cwd: join(import.meta.dirname, '..'),
  stdio: ['ignore', 'pipe', 'inherit'],
})
await new Promise((resolve) => bare.stdout.once('data', resolve))

const authorization = { authorization: `Bearer ${testAdminKey}` }
const targets = [
  { name: 'bare Fastify, fixed answer', url: `http://127.0.0.1:${port}/`, headers: {} },
  { name: 'GET /healthz', url: `${server.url}/healthz`, headers: {} },
  { name: 'GET /v1/projects/{id}', url: `${server.url}/v1/projects/${projects[0]!.id}`, headers: authorization },
  {
    name: 'the same with a bad key (401)',
    url: `${server.url}/v1/projects`,
    headers: { authorization: 'Bearer docent_bad' },
  },
]
const rows: { name: string; perSecond: number; p50: number; p99: number }[] = []
for (const { name, url, headers } of targets) {
  await autocannon({ url, headers, connections: 10, duration: 1 })
  const { requests, latency } = await autocannon({ url, headers, connections: 10, duration: seconds })
  rows.push({ name, perSecond: requests.average, p50: latency.p50, p99: latency.p99 })
}
bare.kill()
await server.end('SIGTERM')
await rm(folder, { recursive: true, force: true })

console.log(`10 connections, ${seconds} s each, embedded database\n`)
printTable(
  ['', 'requests/s', 'to bare', 'p50 ms', 'p99 ms'],
  rows.map(({ name, perSecond, p50, p99 }) => [
    name,
    Math.round(perSecond),
    (perSecond / rows[0]!.perSecond).toFixed(2),
    p50,
    p99,
  ]),
)
