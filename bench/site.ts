// What reading a site costs beside the least a server can do: requests a second and processor time of a bare Fastify that
// answers a fixed string (as long as the page, and with its headers), and of a finished page; how long a page takes that nobody read before; how soon a push to a repository of many
// pages is live and found; and what ten such sites weigh. Run: node_modules/.bin/node bench/site.ts [seconds] [pages]
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { freePort } from '../tests/harness/free-port.ts'
import { childEnvironment, type ServerProcess, startServerProcess } from '../tests/harness/server-process.ts'
import { testAdminKey } from '../tests/harness/test-config.ts'
import { median, printTable } from './table.ts'

const seconds = Number(process.argv[2] ?? 5)
const pages = Number(process.argv[3] ?? 1000)
const pushes = 3
const turns = 3
const sites = 10
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'docent-bench-site-'))
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const browser = {
  'user-agent': chrome,
  accept: 'text/html,*/*;q=0.8',
  'accept-language': 'en',
  'accept-encoding': 'gzip, br',
}

const git = (work: string, ...args: string[]) =>
  execFileSync('git', ['-C', work, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
    stdio: 'pipe',
  })

const routeOf = (index: number) => `/part-${Math.floor(index / 50)}/page-${index}`

/** Pages as they are written: some kilobytes of text with links, a note, a list, and code in two languages. */
function pageText(index: number, word: string): string {
  const next = (index + 1) % pages
  const paragraph = `Docent keeps page ${index} as plain text, with **words**, \`code\` and a [link](${routeOf(next)}#details) in it. `
  return [
    `---\ntitle: "Page ${index}"\ndescription: "The page with the number ${index}"\n---\n`,
    paragraph.repeat(6),
    '## Details\n',
    `<Note>Mind the gap.</Note>\n\n\`\`\`js\nconst page = ${index}\nconsole.log(page)\n\`\`\`\n`,
    '- one\n- two\n\n```bash\ncurl -s https://example.com\n```\n',
    `The word ${word} stands here.\n`,
    paragraph.repeat(8),
  ].join('\n')
}

function write(work: string, path: string, text: string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true })
  writeFileSync(join(work, path), text)
}

/** A clone of the project's repository with as many pages, not yet pushed. */
async function createSite(server: ServerProcess, name: string): Promise<{ slug: string; work: string }> {
  const body = JSON.stringify({ name })
  const answer = await server.fetch('/v1/projects', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const { slug } = (await answer.json()) as { slug: string }
  const work = join(folder, slug)
  const remote = server.url.replace('//', `//x:${testAdminKey}@`)
  execFileSync('git', ['clone', '--quiet', `${remote}/git/${slug}.git`, work], { stdio: 'pipe' })
  const groups = new Map<string, string[]>()
  for (let index = 0; index < pages; index++) {
    write(work, `${routeOf(index).slice(1)}.mdx`, pageText(index, `${name}zanzibar`))
    const group = `part-${Math.floor(index / 50)}`
    groups.set(group, [...(groups.get(group) ?? []), routeOf(index).slice(1)])
  }
  const navigation = { groups: [...groups].map(([group, members]) => ({ group, pages: members })) }
  write(work, 'docs.json', JSON.stringify({ name, colors: { primary: '#335577' }, navigation }))
  return { slug, work }
}

/** Pushes, and returns how long after that the word was on its page and found. */
async function pushUntilLive(
  server: ServerProcess,
  site: { slug: string; work: string },
  word: string,
): Promise<number> {
  const base = `${server.url}/sites/${site.slug}`
  git(site.work, 'add', '--all')
  git(site.work, 'commit', '--quiet', '-m', word)
  git(site.work, 'push', '--quiet', 'origin', 'HEAD')
  const startedAt = performance.now()
  while (true) {
    const page = await (await fetch(`${base}${routeOf(0)}`)).text()
    const found =
      page.includes(word) && (await (await fetch(`${base}/_docent/search?q=${word}`)).text()).includes(routeOf(0))
    if (found) return performance.now() - startedAt
    if (performance.now() - startedAt > 60_000) throw new Error(`${word} did not become live.`)
    // Asking is limited.
    await sleep(25)
  }
}

async function coldPage(server: ServerProcess, slug: string): Promise<number> {
  const took: number[] = []
  for (let index = 1; index <= 40; index++) {
    const startedAt = performance.now()
    await (await fetch(`${server.url}/sites/${slug}${routeOf(index)}`, { headers: browser })).text()
    took.push(performance.now() - startedAt)
  }
  return median(took)
}

interface Target {
  name: string
  pid: number
  url: string
  headers: Record<string, string>
}

interface Measured {
  perSecond: number
  cpuUs: number
  p50: number
  p99: number
}

async function load({ name, pid, url, headers }: Target, duration: number): Promise<Measured> {
  await autocannon({ url, headers, connections: 10, duration: 1 })
  const before = processorMs(pid)
  const { requests, latency, non2xx } = await autocannon({ url, headers, connections: 10, duration })
  const cpuUs = ((processorMs(pid) - before) * 1000) / requests.total
  if (non2xx > 0 && headers['if-none-match'] === undefined) throw new Error(`${name}: ${non2xx} were not answered.`)
  return { perSecond: requests.average, cpuUs, p50: latency.p50, p99: latency.p99 }
}

/** All in turns, so that what else the machine does in a moment is shared by those that are compared. */
async function loadInTurns(targets: Target[]): Promise<(Measured & { name: string })[]> {
  const measured = targets.map((): Measured[] => [])
  for (let turn = 0; turn < turns; turn++) {
    for (const [at, target] of targets.entries()) measured[at]!.push(await load(target, seconds / turns))
  }
  return targets.map(({ name }, at) => {
    const of = (field: keyof Measured) => median(measured[at]!.map((one) => one[field]))
    return { name, perSecond: of('perSecond'), cpuUs: of('cpuUs'), p50: of('p50'), p99: of('p99') }
  })
}

/** Of all threads of a process, from Linux's /proc. */
function processorMs(pid: number): number {
  // The name comes second, in parentheses, and may hold anything; user and system time are the 12th and 13th after.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A Fastify with nothing else: a short string, one as long as the page, and that with the page's headers. */
async function startBare({ headers }: Response): Promise<{ pid: number; url: string; end(): Promise<void> }> {
  const port = await freePort()
  const own = ['content-length', 'content-encoding', 'date', 'connection', 'keep-alive']
  const given = Object.fromEntries([...headers].filter(([name]) => !own.includes(name)))
  const script = `
    import Fastify from 'fastify'
    const app = Fastify()
    const text = 'x'.repeat(${headers.get('content-length')})
    const headers = ${JSON.stringify(given)}
    app.get('/short', async () => 'A fixed string.')
    app.get('/long', async () => text)
    app.get('/headers', async (_request, reply) => reply.headers(headers).send(text))
    await app.listen({ port: ${port} })
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: childEnvironment({}) })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { pid: child.pid!, url: `http://127.0.0.1:${port}`, end }
}

/** What the process keeps to itself, without pages of files that the system could drop; its children too. */
function memoryMb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  return own + children.reduce((sum, child) => sum + memoryMb(Number(child)), 0)
}

const server = await startServerProcess({ data: join(folder, 'data'), logLevel: 'warn', rateLimitPerMinute: 1_000_000 })
const before = memoryMb(server.child.pid!)
const first = await createSite(server, 'Bench')
const firstMs = await pushUntilLive(server, first, 'Benchzanzibar')
const coldMs = await coldPage(server, first.slug)
const page = `${server.url}/sites/${first.slug}${routeOf(0)}`
const finished = await fetch(page, { headers: browser })
const etag = finished.headers.get('etag')!
const bare = await startBare(finished)
const ours = { pid: server.child.pid!, headers: browser }
const loads = await loadInTurns([
  { name: 'bare Fastify, a short string', pid: bare.pid, url: `${bare.url}/short`, headers: browser },
  { name: 'bare Fastify, a string as long as the page', pid: bare.pid, url: `${bare.url}/long`, headers: browser },
  { name: 'the same with the headers of the page', pid: bare.pid, url: `${bare.url}/headers`, headers: browser },
  { ...ours, name: 'this server, GET /healthz', url: `${server.url}/healthz` },
  { ...ours, name: 'finished page, brotli', url: page },
  { ...ours, name: 'the same as Markdown', url: `${page}.md` },
  { ...ours, name: 'the same, not changed (304)', url: page, headers: { ...browser, 'if-none-match': etag } },
])
await bare.end()
const changedMs: number[] = []
for (let index = 0; index < pushes; index++) {
  write(first.work, `${routeOf(0).slice(1)}.mdx`, pageText(0, `quagga${index}`))
  changedMs.push(await pushUntilLive(server, first, `quagga${index}`))
}
const oneSite = memoryMb(server.child.pid!)
for (let index = 1; index < sites; index++) {
  const site = await createSite(server, `Bench${index}`)
  await pushUntilLive(server, site, `Bench${index}zanzibar`)
  await coldPage(server, site.slug)
}
const tenSites = memoryMb(server.child.pid!)
await server.end('SIGTERM')
rmSync(folder, { recursive: true, force: true })

console.log(`10 connections, ${seconds} s each; ${pages} pages\n`)
const [, long, withHeaders] = loads
printTable(
  ['', 'requests/s', 'to as long', 'to same headers', 'CPU µs each', 'to as long', 'p50 ms', 'p99 ms'],
  loads.map(({ name, perSecond, cpuUs, p50, p99 }) => [
    name,
    Math.round(perSecond),
    (perSecond / long!.perSecond).toFixed(2),
    (perSecond / withHeaders!.perSecond).toFixed(2),
    cpuUs.toFixed(1),
    (long!.cpuUs / cpuUs).toFixed(2),
    p50,
    p99,
  ]),
)
console.log()
printTable(
  ['', 'ms'],
  [
    ['a page that nobody read before', coldMs.toFixed(1)],
    [`first push of ${pages} pages, live and found`, Math.round(firstMs)],
    [`push of one changed page of ${pages}, live and found`, Math.round(median(changedMs))],
  ],
)
console.log()
printTable(
  ['', 'MB'],
  [
    ['server and its children, no site', Math.round(before)],
    [`one site of ${pages} pages, read`, Math.round(oneSite)],
    [`${sites} sites of ${pages} pages, read`, Math.round(tenSites)],
  ],
)
