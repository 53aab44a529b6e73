// How many events a second a server takes over HTTP, each durable before its answer, beside DuckDB's bare appender in
// the same run; how long a report takes meanwhile; and log lines a second of an import beside goaccess on the same file.
// Run: node_modules/.bin/node bench/ingest.ts [--seconds 10] [--lines 1000000] [--rounds 3]
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import autocannon from 'autocannon'
import { runDocent, type ServerProcess, startServerProcess } from '../tests/harness/server-process.ts'
import { testAdminKey } from '../tests/harness/test-config.ts'
import { writeAccessLog } from './access-log.ts'
import { paths } from './analytics-site.ts'
import { appendBare } from './bare-appender.ts'
import { median, printTable } from './table.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    lines: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
})
const seconds = Number(options.seconds)
const lines = Number(options.lines)
const rounds = Number(options.rounds)
const dayMs = 86_400_000

const folder = mkdtempSync(join(tmpdir(), 'docent-bench-ingest-'))
const say = (words: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${words}\n`)
// As many as the setting allows: a server with its own limit would only say no.
const settings = { data: join(folder, 'data'), rateLimitPerMinute: 1_000_000, logLevel: 'warn' }
let server: ServerProcess | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server?.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  })
}

const browsers = Array.from(
  { length: 60 },
  (_, version) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${80 + version}.0.0.0 Safari/537.36`,
)
const machines = [
  'claude-code/2.0.14',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'curl/8.5.0',
]

/** As a server sends them: what it knows of the request, and when. */
function event(index: number): object {
  const visitor = Math.imul(index, 2_654_435_761) >>> 12
  const agents = visitor % 6 === 0 ? machines : browsers
  return {
    timestamp: new Date(Date.now() - ((index * 7919) % (25 * dayMs)) - dayMs).toISOString(),
    path: paths[Math.floor(paths.length ** ((Math.imul(index + 1, 2_246_822_519) >>> 0) / 2 ** 32)) - 1],
    ip: `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
    userAgent: agents[visitor % agents.length],
    accept: 'text/html,application/xhtml+xml',
    referrer: index % 3 === 0 ? 'https://www.example.com/' : null,
  }
}

function bodies(batch: number, count: number): string[] {
  return Array.from({ length: count }, (_, body) =>
    JSON.stringify({ events: Array.from({ length: batch }, (_, index) => event(body * batch + index)) }),
  )
}

interface Load {
  batch: number
  connections: number
  seconds: number
  /** Requests a second; as many as it can without. */
  rate?: number
}

/** Sends batches from a thread of its own. Anything but 202 fails the run. */
async function send(projectId: string, load: Load) {
  const path = `/v1/analytics/${projectId}/events`
  const headers = { authorization: `Bearer ${testAdminKey}`, 'content-type': 'application/json' }
  // Few: autocannon makes them anew for each connection, within the time that it measures.
  const requests = bodies(load.batch, load.batch === 1 ? 50 : 10).map((body) => ({
    method: 'POST' as const,
    path,
    headers,
    body,
  }))
  const { connections } = load
  const rate = load.rate === undefined ? {} : { overallRate: load.rate }
  const options = { url: server!.url, connections, duration: load.seconds, workers: 1, requests, ...rate }
  const result = await autocannon(options)
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    const codes = JSON.stringify(result.statusCodeStats)
    throw new Error(`Not all were taken: ${codes}, ${result.errors} errors. ${server!.output().slice(-2000)}`)
  }
  return {
    eventsPerSecond: (result['2xx'] * load.batch) / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

async function newProject(name: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await server!.fetch('/v1/projects', { method: 'POST', headers, body: JSON.stringify({ name }) })
  return ((await response.json()) as { id: string }).id
}

async function visitorTotals(projectId: string): Promise<string> {
  const from = new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10)
  const response = await server!.fetch(`/v1/analytics/${projectId}/visitors?limit=50&dateFrom=${from}`)
  if (response.status !== 200) throw new Error(await response.text())
  return await response.text()
}

async function throughput(projectId: string): Promise<void> {
  const rows: (string | number)[][] = []
  for (const { batch, connections } of [
    { batch: 1, connections: 64 },
    { batch: 1000, connections: 8 },
  ]) {
    await send(projectId, { batch, connections, seconds: 2 })
    const bare: number[] = []
    const http: Awaited<ReturnType<typeof send>>[] = []
    for (let round = 0; round < rounds; round++) {
      say(`batches of ${batch}, round ${round + 1}`)
      const file = join(folder, `bare-${batch}-${round}.duckdb`)
      bare.push(await appendBare({ file, rowsPerCommit: batch, seconds }))
      rmSync(file)
      http.push(await send(projectId, { batch, connections, seconds }))
    }
    const limit = median(bare)
    const ours = median(http.map(({ eventsPerSecond }) => eventsPerSecond))
    const latency = (which: 'p50' | 'p99') => median(http.map((one) => one[which]))
    rows.push([`bare appender, ${batch} a commit`, Math.round(limit), '1.00', '', '', ''])
    rows.push([
      `HTTP, ${batch} a request, ${connections} connections`,
      Math.round(ours),
      (ours / limit).toFixed(2),
      latency('p50'),
      latency('p99'),
      batch === 1 ? '' : `at least 0.50: ${ours / limit >= 0.5 ? 'met' : 'missed'}`,
    ])
  }
  console.log(
    `Events a second, durable before they are answered, ${seconds} s each, medians of ${rounds}; the bare appender writes\nviews to a plain table, as many in each durable commit, alone on the machine; the server shares it with autocannon\n`,
  )
  printTable(['', 'events/s', 'to bare', 'p50 ms', 'p99 ms', 'goal'], rows)
}

async function sampleReports(projectId: string, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  while (!isOver) {
    const startedAt = performance.now()
    await visitorTotals(projectId)
    times.push(performance.now() - startedAt)
    await sleep(5)
  }
  return times
}

async function reportsDuringIngest(projectId: string): Promise<void> {
  say('reports while idle')
  // What the runs before left is compacted meanwhile.
  await sleep(15_000)
  const at = (values: number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
  const idle = await sampleReports(projectId, sleep(2 * seconds * 1000))
  const loads: [string, Load][] = [
    ['while 2,000 events/s come in', { batch: 100, connections: 4, seconds: 2 * seconds, rate: 20 }],
    ['while as many come in as it takes', { batch: 1000, connections: 8, seconds: 2 * seconds }],
  ]
  const base = at(idle, 0.99)
  const rows = [['while nothing comes in', idle.length, at(idle, 0.5).toFixed(1), base.toFixed(1), '1.0', '']]
  for (const [name, load] of loads) {
    say(`reports ${name}`)
    const sending = send(projectId, load)
    const busy = await sampleReports(projectId, sending)
    await sending
    const ratio = at(busy, 0.99) / base
    rows.push([
      name,
      busy.length,
      at(busy, 0.5).toFixed(1),
      at(busy, 0.99).toFixed(1),
      ratio.toFixed(1),
      `under 10: ${ratio < 10 ? 'met' : 'missed'}`,
    ])
  }
  const { totals } = JSON.parse(await visitorTotals(projectId)) as { totals: unknown }
  console.log(`\nThe visitors call, 30 days, one after the other, over ${JSON.stringify(totals)} visitors\n`)
  printTable(['', 'calls', 'p50 ms', 'p99 ms', 'ratio of p99', 'goal'], rows)
}

async function imports(): Promise<void> {
  const file = join(folder, 'access.log')
  await writeAccessLog({ file, lines, seed: 1 })
  // As above: the import is measured, not what the runs before left to do.
  await sleep(15_000)
  const goaccess = findGoaccess()
  const times = { import: [] as number[], dryRun: [] as number[], goaccess: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    say(`import, round ${round + 1}`)
    const project = await newProject(`Import ${round}`)
    times.import.push(await timeDocent(['analytics', 'import', '--project', project, file]))
    times.dryRun.push(await timeDocent(['analytics', 'import', '--dry-run', file]))
    if (goaccess) times.goaccess.push(await timeGoaccess(file))
  }
  const perSecond = (values: number[]) => lines / (median(values) / 1000)
  const theirs = perSecond(times.goaccess)
  const row = (name: string, values: number[], goal: string) => [
    name,
    Math.round(perSecond(values)),
    goaccess ? (perSecond(values) / theirs).toFixed(1) : '-',
    goal,
  ]
  const isMet = perSecond(times.import) / theirs >= 5
  console.log(
    `\nAn access log of ${lines} lines, ${(statSync(file).size / 1e6).toFixed(0)} MB; whole runs, from start to end of the program; medians of ${rounds}\n`,
  )
  printTable(
    ['', 'lines/s', 'to goaccess', 'goal'],
    [
      row('docent analytics import, durable', times.import, goaccess ? `at least 5: ${isMet ? 'met' : 'missed'}` : ''),
      row('the same, --dry-run', times.dryRun, ''),
      ...(goaccess ? [row(goaccess, times.goaccess, '')] : []),
    ],
  )
  if (!goaccess) console.log('\ngoaccess is not installed here.')
}

function findGoaccess(): string | null {
  try {
    return execFileSync('goaccess', ['--version'], { encoding: 'utf8' }).split('\n')[0]!.replace(/\.$/, '')
  } catch {
    return null
  }
}

async function timeDocent(args: string[]): Promise<number> {
  const startedAt = performance.now()
  const { code, output } = await runDocent(args, { data: settings.data })
  if (code !== 0) throw new Error(`docent ${args.join(' ')} ended with ${code}: ${output}`)
  return performance.now() - startedAt
}

async function timeGoaccess(file: string): Promise<number> {
  const startedAt = performance.now()
  const args = [file, '--log-format=COMBINED', '--no-progress', '--no-global-config', '-o', join(folder, 'report.json')]
  await promisify(execFile)('goaccess', args)
  return performance.now() - startedAt
}

try {
  server = await startServerProcess(settings)
  const projectId = await newProject('Bench')
  await throughput(projectId)
  await reportsDuringIngest(projectId)
  await imports()
} finally {
  await server?.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
