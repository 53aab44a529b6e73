import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import autocannon from 'autocannon'
import { freePort } from './tests/harness/free-port.ts'
import { childEnvironment } from './tests/harness/server-process.ts'
import { testAdminKey, testSecret } from './tests/harness/test-config.ts'
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10_000 }
const mainCpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10_000 }
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const browser = { 'user-agent': chrome, accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', 'accept-encoding': 'gzip, br' }
async function m(name: string, pid: number, url: string, headers = {}) {
  await autocannon({ url, headers, connections: 10, amount: 3000 })
  const [a, b] = [cpu(pid), mainCpu(pid)]
  const r = await autocannon({ url, headers, connections: 10, amount: 10000 })
  console.log(name.padEnd(30), ((cpu(pid) - a) / 10000).toFixed(1), 'µs cpu/request; main thread', ((mainCpu(pid) - b) / 10000).toFixed(1), r.non2xx)
}
const port = await freePort()
const bare = spawn(process.execPath, ['--input-type=module', '-e', `import Fastify from 'fastify'; const app = Fastify(); app.get('/', async () => 'A fixed string.'); await app.listen({ port: ${port} }); console.log('ready')`], { env: childEnvironment({}) })
await new Promise((r) => bare.stdout.once('data', r))
await m('bare', bare.pid!, `http://127.0.0.1:${port}/`)
bare.kill()
const p2 = await freePort()
const data = mkdtempSync('/tmp/h8cpu-')
const extra = process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/h8prof', '--cpu-prof-interval=500'] : []
const child = spawn(process.execPath, [...extra, 'src/app/main.ts', 'serve'], { env: childEnvironment({ data, port: p2, adminKey: testAdminKey, secret: testSecret, logLevel: 'warn', rateLimitPerMinute: 1000000 }) })
let out = ''
child.stdout.on('data', (c) => (out += c)); child.stderr.on('data', (c) => (out += c))
while (!out.includes('is ready at')) await new Promise((r) => setTimeout(r, 50))
const url = `http://127.0.0.1:${p2}`
const projects = (await (await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${testAdminKey}` } })).json()) as any
const slug = projects.projects[0].slug
let ok = false
for (let i = 0; i < 60 && !ok; i++) { ok = (await fetch(`${url}/sites/${slug}/quickstart`)).ok; if (!ok) await new Promise((r) => setTimeout(r, 500)) }
console.log(slug, ok)
await m('healthz', child.pid!, `${url}/healthz`)
await m('page br', child.pid!, `${url}/sites/${slug}/quickstart`, browser)
await m('page identity', child.pid!, `${url}/sites/${slug}/quickstart`)
const etag = (await fetch(`${url}/sites/${slug}/quickstart`)).headers.get('etag')!
await m('page 304', child.pid!, `${url}/sites/${slug}/quickstart`, { ...browser, 'if-none-match': etag })
await m('favicon', child.pid!, `${url}/sites/${slug}/favicon.svg`, browser)
child.kill('SIGTERM'); await new Promise((r) => child.once('close', r)); rmSync(data, { recursive: true, force: true })
