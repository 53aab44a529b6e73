// What a job costs beside the bare git commands that do the same (clone, edit, commit, push), on a repository of many
// pages; then many jobs at once: how many a second, and how long a GET takes meanwhile.
// Run: node_modules/.bin/node bench/job.ts [pages] [jobs at once]
import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startGitHubServer } from '../tests/harness/hosts/github-server.ts'
import { type ServerProcess, startServerProcess } from '../tests/harness/server-process.ts'
import { testAdminKey } from '../tests/harness/test-config.ts'
import { median, printTable } from './table.ts'

const pages = Number(process.argv[2] ?? 5000)
const atOnce = Number(process.argv[3] ?? 50)
const rounds = 5
/** Of this many pages, one has the word that is replaced. */
const oneIn = 250

const folder = mkdtempSync(join(tmpdir(), 'docent-bench-job-'))
/** Not synchronous: the vendor's server that it talks to runs in this process. */
const git = (...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args])

/** Pages as they are written: some kilobytes of text, links to others, a navigation with all of them. */
function writePages(root: string): void {
  const groups = new Map<string, string[]>()
  for (let index = 0; index < pages; index++) {
    const group = `part-${Math.floor(index / 50)}`
    const path = `${group}/page-${index}`
    groups.set(group, [...(groups.get(group) ?? []), path])
    const next = (index + 1) % pages
    const paragraph = `Docent keeps page ${index} as plain text, with **words**, \`code\` and a [link](/part-${Math.floor(next / 50)}/page-${next}#details) in it. `
    const text = [
      `---\ntitle: "Page ${index}"\ndescription: "The page with the number ${index}"\n---\n`,
      paragraph.repeat(6),
      '## Details\n',
      `<Note>Mind the gap.</Note>\n\n\`\`\`js\nconst page = ${index}\n\`\`\`\n`,
      index % oneIn === 0 ? 'The word zanzibar stands here.\n' : '',
      paragraph.repeat(8),
    ].join('\n')
    mkdirSync(join(root, group), { recursive: true })
    writeFileSync(join(root, `${path}.mdx`), `${text}\n`)
  }
  const navigation = { groups: [...groups].map(([group, members]) => ({ group, pages: members })) }
  const config = {
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Bench',
    colors: { primary: '#000000' },
  }
  writeFileSync(join(root, 'docs.json'), `${JSON.stringify({ ...config, navigation }, null, 2)}\n`)
}

/** Replaces the word wherever it stands, as a careful script would. */
function replaceInFolder(root: string, from: string, to: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.mdx') || name.startsWith('.git')) continue
    const path = join(root, name)
    const text = readFileSync(path, 'utf8')
    if (text.includes(from)) writeFileSync(path, text.replaceAll(from, to))
  }
}

async function bareGit(remote: string, branch: string): Promise<number> {
  const work = join(folder, `work-${branch}`)
  const startedAt = performance.now()
  await git('clone', '--quiet', remote, work)
  replaceInFolder(work, 'zanzibar', 'Zanzibar')
  await git('-C', work, 'switch', '--quiet', '-c', branch)
  await git('-C', work, 'commit', '--quiet', '--all', '-m', 'Replace a word')
  await git('-C', work, 'push', '--quiet', 'origin', branch)
  const tookMs = performance.now() - startedAt
  rmSync(work, { recursive: true })
  return tookMs
}

interface Project {
  id: string
  slug: string
}

async function newProject(server: ServerProcess, source: string): Promise<Project> {
  const headers = { 'content-type': 'application/json' }
  const response = await server.fetch('/v1/projects', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Bench' }),
  })
  const project = (await response.json()) as Project
  await git('-C', source, 'push', '--quiet', '--force', remoteOf(server, project), 'HEAD:refs/heads/main')
  return project
}

function remoteOf(server: ServerProcess, { slug }: Project): string {
  return `http://x:${testAdminKey}@${new URL(server.url).host}/git/${slug}.git`
}

async function createJob(server: ServerProcess, { id }: Project): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ prompt: 'replace "zanzibar" with "Zanzibar"' })
  const response = await server.fetch(`/v2/agent/${id}/job`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(await response.text())
  return ((await response.json()) as { id: string }).id
}

async function untilEnded(server: ServerProcess, { id }: Project, job: string): Promise<void> {
  for (;;) {
    const response = await server.fetch(`/v2/agent/${id}/job/${job}`)
    const { status, error, prLink } = (await response.json()) as {
      status: string
      error: unknown
      prLink: string | null
    }
    if (status === 'completed' && prLink !== null) return
    if (status !== 'active') throw new Error(`The job is ${status}: ${JSON.stringify(error)}`)
    await sleep(10)
  }
}

async function timeJob(server: ServerProcess, project: Project): Promise<number> {
  const startedAt = performance.now()
  await untilEnded(server, project, await createJob(server, project))
  return performance.now() - startedAt
}

const source = join(folder, 'source')
mkdirSync(source, { recursive: true })
mkdirSync(dirname(source), { recursive: true })
writePages(source)
await git('init', '--quiet', '--initial-branch=main', source)
await git('-C', source, 'add', '.')
await git('-C', source, 'commit', '--quiet', '-m', 'Start')
const bare = join(folder, 'bare.git')
// With its objects in a pack, as every host has them: thousands of single files take longer to clone.
await git('clone', '--quiet', '--bare', '--no-local', source, bare)

const settings = {
  data: join(folder, 'data'),
  agentJobsPerHour: 100_000,
  rateLimitPerMinute: 1_000_000,
  logLevel: 'warn',
}
let server = await startServerProcess(settings)
const project = await newProject(server, source)

/** Somebody else's change of one page, so that a later job starts from a commit that nobody has seen yet. */
async function pushChange(round: number): Promise<void> {
  appendFileSync(join(source, 'part-0', 'page-1.mdx'), `\nRound ${round}.\n`)
  await git('-C', source, 'commit', '--quiet', '--all', '-m', `Round ${round}`)
  await git('-C', source, 'push', '--quiet', remoteOf(server, project), 'HEAD:refs/heads/main')
}

const local: number[] = []
const overHttp: number[] = []
const first: number[] = []
const later: number[] = []
const afterPush: number[] = []
// In turns, so that whatever else the machine does meanwhile falls on all of them.
for (let round = 0; round < rounds; round++) {
  local.push(await bareGit(bare, `local-${round}`))
  overHttp.push(await bareGit(remoteOf(server, project), `http-${round}`))
  // A first job is one of a process that knows nothing yet.
  await server.end('SIGTERM')
  server = await startServerProcess(settings)
  first.push(await timeJob(server, project))
  later.push(await timeJob(server, project))
  await pushChange(round)
  afterPush.push(await timeJob(server, project))
}
// The same on a vendor, where a mirror is made by the first job and brought up to date by the later ones.
await using vendor = await startGitHubServer({ defaultBranch: 'main' })
await git('-C', vendor.repository.gitDir, 'fetch', '--quiet', '--update-head-ok', '--force', source, 'main:main')
const vendorGit: number[] = []
const vendorFirst: number[] = []
const vendorLater: number[] = []
const vendorRemote = vendor.repositoryUrl.replace('://', `://x-access-token:${vendor.token}@`)
for (let round = 0; round < rounds; round++) {
  vendorGit.push(await bareGit(vendorRemote, `vendor-${round}`))
  await server.end('SIGTERM')
  server = await startServerProcess(settings)
  const { repositoryUrl: repository, apiUrl, token } = vendor
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Vendor', source: { provider: 'github', repository, apiUrl, token } })
  const response = await server.fetch('/v1/projects', { method: 'POST', headers, body })
  const onVendor = (await response.json()) as Project
  vendorFirst.push(await timeJob(server, onVendor))
  vendorLater.push(await timeJob(server, onVendor))
}
const base = median(local)
const row = (name: string, values: number[], beside = base) => [
  name,
  Math.round(median(values)),
  (median(values) / beside).toFixed(2),
]
console.log(`${pages} pages, ${Math.ceil(pages / oneIn)} of them changed; medians of ${rounds}\n`)
printTable(
  ['', 'ms', 'ratio'],
  [
    row('bare git, from a folder', local),
    row('bare git, over HTTP', overHttp),
    row('first job, POST to completed', first),
    row('later job, POST to completed', later),
    row('later job, after a push', afterPush),
    row('bare git, from a vendor over HTTP', vendorGit, median(vendorGit)),
    row('first job there, without a mirror', vendorFirst, median(vendorGit)),
    row('later job there, with one', vendorLater, median(vendorGit)),
  ],
)

const quiet: number[] = []
const busy: number[] = []
async function timeGet(into: number[]): Promise<void> {
  const startedAt = performance.now()
  await (await server.fetch(`/v1/projects/${project.id}`)).text()
  into.push(performance.now() - startedAt)
}
for (let index = 0; index < 200; index++) await timeGet(quiet)
const startedAt = performance.now()
const jobs = await Promise.all(Array.from({ length: atOnce }, () => createJob(server, project)))
let isOver = false
const watching = (async () => {
  while (!isOver) {
    await timeGet(busy)
    await sleep(20)
  }
})()
for (const job of jobs) await untilEnded(server, project, job)
const tookMs = performance.now() - startedAt
isOver = true
await watching
const p95 = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)]!
console.log(
  `\n${atOnce} jobs at once: ${(atOnce / (tookMs / 1000)).toFixed(1)} a second, one in ${(base / (tookMs / atOnce)).toFixed(2)} of the time bare git takes for it\n`,
)
printTable(
  ['GET of a project', 'p50 ms', 'p95 ms', 'ratio of p95'],
  [
    ['while nothing runs', median(quiet).toFixed(1), p95(quiet).toFixed(1), '1.00'],
    ['while they run', median(busy).toFixed(1), p95(busy).toFixed(1), (p95(busy) / p95(quiet)).toFixed(2)],
  ],
)
await server.end('SIGTERM')
rmSync(folder, { recursive: true, force: true })
