// How many verdicts a second the classifier gives: to user agents that come again, to ones that never do, and to ones made
// to be slow. Beside them, what trying the patterns of crawler-user-agents one after the other would give.
// Counted by processor time, so that whatever else the machine does changes little.
// Run: node_modules/.bin/node bench/classify.ts [seconds]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import crawlerUserAgents from 'crawler-user-agents'
import { createLog } from '../src/base/log.ts'
import { createClassifier } from '../src/features/analytics/classify/classifier.ts'
import { rangeSources } from '../src/features/analytics/classify/ranges/range-sources.ts'
import { printTable } from './table.ts'

const seconds = Number(process.argv[2] ?? 2)
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const crawlers = crawlerUserAgents.flatMap(({ instances }) => instances.slice(0, 1))

const folder = await mkdtemp(join(tmpdir(), 'docent-bench-classify-'))
for (const [place, { name }] of rangeSources.entries()) {
  const prefixes = [...Array(300).keys()].map((count) => `${20 + place}.${count % 250}.${Math.floor(count / 250)}.0/24`)
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ fetchedAt: new Date().toISOString(), prefixes }))
}
const log = createLog({ level: 'warn', format: 'json', destination: process.stderr })
const classifier = createClassifier({ rangesFolder: folder, log })
const context = { path: '/guide', rules: [] }
const classify = (userAgent: string, count: number) =>
  classifier.classify(
    { source: 'page', userAgent, accept, acceptLanguage: 'en-US', address: `203.0.${count & 255}.7` },
    context,
  )

const expressions = crawlerUserAgents.map(({ pattern }) => new RegExp(pattern))
const cases: [string, (count: number) => unknown][] = [
  [
    '1,500 user agents again and again',
    (count) => classify(count % 2 ? chrome : crawlers[count % crawlers.length]!, count),
  ],
  ['browsers, each a different one', (count) => classify(`${chrome} App/${count}`, count)],
  ['8 kB of hostile text, each different', (count) => classify(`${count}${'Spider'.repeat(1_365)}`, count)],
  ['the patterns one after the other', (count) => expressions.find((one) => one.test(`${chrome} App/${count}`))],
]

const rows: string[][] = []
for (const [name, run] of cases) {
  let count = 0
  for (let warm = 0; warm < 2_000; warm++) run(warm)
  const began = process.cpuUsage()
  let spent = 0
  while (spent < seconds) {
    for (let inner = 0; inner < 100; inner++) run(count++)
    const { user, system } = process.cpuUsage(began)
    spent = (user + system) / 1_000_000
  }
  const perSecond = count / spent
  rows.push([name, Math.round(perSecond).toLocaleString('en')])
}
await rm(folder, { recursive: true })
printTable(['user agents', 'verdicts/s'], rows)
