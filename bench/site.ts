// What reading a site costs beside the least a server can do: requests a second of a bare Fastify that answers a fixed
// string, and of a finished page; how long a page takes that nobody read before; how soon a push to a repository of many
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

async function load(name: string, url: string, headers: Record<string, string>) {
  await autocannon({ url, headers, connections: 10, duration: Math.min(3, seconds) })
  const { requests, latency, non2xx } = await autocannon({ url, headers, connections: 10, duration: seconds })
  if (non2xx > 0 && headers['if-none-match'] === undefined) throw new Error(`${name}: ${non2xx} were not answered.`)
  return { name, perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** What the process keeps to itself, without pages of files that the system could drop; its children too. */
function memoryMb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  return own + children.reduce((sum, child) => sum + memoryMb(Number(child)), 0)
}

const barePort = await freePort()
const bareScript = `import Fastify from 'fastify'; const app = Fastify(); app.get('/', async () => 'A fixed string.'); await app.listen({ port: ${barePort} }); console.log('ready')`
const bare = spawn(process.execPath, ['--input-type=module', '-e', bareScript], {
  cwd: root,
  env: childEnvironment({}),
})
await new Promise((resolve) => bare.stdout.once('data', resolve))
const loads = [await load('bare Fastify, fixed string', `http://127.0.0.1:${barePort}/`, {})]
const bareEnded = new Promise((resolve) => bare.once('close', resolve))
bare.kill('SIGTERM')
await bareEnded

const server = await startServerProcess({ data: join(folder, 'data'), logLevel: 'warn', rateLimitPerMinute: 1_000_000 })
const before = memoryMb(server.child.pid!)
const first = await createSite(server, 'Bench')
const firstMs = await pushUntilLive(server, first, 'Benchzanzibar')
const coldMs = await coldPage(server, first.slug)
const page = `${server.url}/sites/${first.slug}${routeOf(0)}`
loads.push(await load('the same server, GET /healthz', `${server.url}/healthz`, {}))
loads.push(await load('finished page, brotli', page, browser))
loads.push(await load('the same as Markdown', `${page}.md`, {}))
const etag = (await fetch(page)).headers.get('etag')!
loads.push(await load('the same, not changed (304)', page, { ...browser, 'if-none-match': etag }))
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
printTable(
  ['', 'requests/s', 'to bare', 'p50 ms', 'p99 ms'],
  loads.map(({ name, perSecond, p50, p99 }) => [
    name,
    Math.round(perSecond),
    (perSecond / loads[0]!.perSecond).toFixed(2),
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
