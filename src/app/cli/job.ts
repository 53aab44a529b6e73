import { counted } from '#base/counted.ts'
import type { AgentJob } from '#features/agent/schema.ts'
import { stopRequested } from '../signals.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'
import { type Output, table } from './output.ts'

const jobArg = { name: 'jobId', about: 'Id of the job; docent job list shows them.' }
const promptOption = {
  prompt: { type: 'string', about: 'What to do, in your own words. “-” reads it from standard input.', required: true },
} as const
const watchOption = { watch: { type: 'boolean', about: 'Show what the agent does until it is done.' } } as const
const keyOption = {
  'idempotency-key': { type: 'string', value: 'text', about: 'The same key does it once, for 24 hours.' },
} as const
const options = { ...projectOption, ...serverOptions } as const

export const jobCreate = defineCommand({
  name: 'job create',
  about: 'Asks the agent for a change. It works in the background and opens a pull request.',
  options: {
    ...promptOption,
    ...watchOption,
    ...keyOption,
    ...options,
  },
  examples: [
    `docent job create --prompt 'replace "colour" with "color"' --watch`,
    'docent job create --project api-docs --prompt - < prompt.txt',
  ],
  async run(input) {
    const client = createClient(input)
    const { prompt, watch, project: wanted, 'idempotency-key': key } = input.options
    const project = encodeURIComponent(await findProjectId(client, wanted))
    const body = { prompt: await readPrompt(prompt) }
    const job = await client.call<AgentJob>('POST', `/v2/agent/${project}/job`, body, keyHeader(key))
    const path = address(project, job.id)
    const following = { client, path, job, name: nameOf(job, wanted), output: input.output }
    return watch ? await follow(following) : leave(following, `Created ${job.id}.`)
  },
})

export const jobMessage = defineCommand({
  name: 'job message',
  about: 'Sends a follow-up. The agent goes on, on the same pull request if that is still open.',
  args: [jobArg],
  options: { ...promptOption, ...watchOption, ...keyOption, ...options },
  async run(input) {
    const client = createClient(input)
    const { prompt, watch, project: wanted, 'idempotency-key': key } = input.options
    const path = await addressOf(client, wanted, input.args[0]!)
    const body = { prompt: await readPrompt(prompt) }
    // What it did for earlier prompts is history, unless it is still at one.
    const { status } = await client.call<AgentJob>('GET', path)
    const after = watch && status !== 'active' ? await lastEventOf(client, path) : '0'
    const job = await client.call<AgentJob>('POST', `${path}/message`, body, keyHeader(key))
    const following = { client, path, job, name: nameOf(job, wanted), output: input.output, after }
    return watch ? await follow(following) : leave(following, `Sent to ${job.id}.`)
  },
})

export const jobWatch = defineCommand({
  name: 'job watch',
  about: 'Shows what the agent does, from the start, until it is done.',
  args: [jobArg],
  options,
  async run(input) {
    const client = createClient(input)
    const path = await addressOf(client, input.options.project, input.args[0]!)
    const job = await client.call<AgentJob>('GET', path)
    return await follow({ client, path, job, name: nameOf(job, input.options.project), output: input.output })
  },
})

export const jobList = defineCommand({
  name: 'job list',
  about: 'Lists the jobs of a project, newest first.',
  options: {
    status: { type: 'string', value: 'status', about: 'Only active, completed, failed or archived ones.' },
    limit: { type: 'string', value: 'number', about: 'How many; 20 if left out.' },
    ...options,
  },
  async run(input) {
    const client = createClient(input)
    const project = encodeURIComponent(await findProjectId(client, input.options.project))
    const query = new URLSearchParams({ limit: input.options.limit ?? '20' })
    if (input.options.status !== undefined) query.set('status', input.options.status)
    const page = await client.call<{ jobs: AgentJob[]; hasMore: boolean }>('GET', `/v2/agent/${project}/jobs?${query}`)
    const rows = page.jobs.map(({ id, status, createdAt, title, prLink }) => [id, status, createdAt, title, prLink])
    const shown = table(['id', 'status', 'created', 'title', 'pull request'], rows)
    const text = rows.length === 0 ? 'No jobs: docent job create --prompt <text>' : shown
    input.output.result(page, page.hasMore ? `${text}\n… and more; --limit shows them.` : text)
  },
})

export const jobShow = defineCommand({
  name: 'job show',
  about: 'Shows one job.',
  args: [jobArg],
  options,
  async run(input) {
    const client = createClient(input)
    const job = await client.call<AgentJob>('GET', await addressOf(client, input.options.project, input.args[0]!))
    input.output.result(job, describe(job))
  },
})

export const jobArchive = defineCommand({
  name: 'job archive',
  about: 'Archives a job; one that is active is stopped.',
  args: [jobArg],
  options,
  async run(input) {
    const client = createClient(input)
    const path = await addressOf(client, input.options.project, input.args[0]!)
    const job = await client.call<AgentJob>('POST', `${path}/archive`)
    input.output.result(job, `Archived ${job.id}.`)
  },
})

function address(project: string, job: string): string {
  return `/v2/agent/${project}/job/${encodeURIComponent(job)}`
}

async function addressOf(client: Client, project: string | undefined, job: string): Promise<string> {
  return address(encodeURIComponent(await findProjectId(client, project)), job)
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key }
}

async function readPrompt(given: string): Promise<string> {
  if (given !== '-') return given
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface Following {
  client: Client
  /** The job's address. */
  path: string
  job: AgentJob
  /** What names the job to other commands. */
  name: string
  output: Output
  /** Number of the last event that is not shown. */
  after?: string
}

function nameOf({ id }: AgentJob, project: string | undefined): string {
  return project === undefined ? id : `${id} --project ${/\s/.test(project) ? JSON.stringify(project) : project}`
}

function leave({ job, name, output }: Following, done: string): number {
  output.result(job, `${done}\ndocent job watch ${name} shows what it does.`)
  return 0
}

async function lastEventOf(client: Client, path: string): Promise<string> {
  let last = '0'
  for await (const { id } of client.events(`${path}/events`)) last = id
  return last
}

const marks: Record<string, string> = { completed: '✓', failed: '✗', archived: '✗', check: '✓', retrying: '↻' }
// As a shell has it for a program that Ctrl-C ended.
const interrupted = 130

/** Shows the events as they come, then the job; a job that failed is a failure of the command. */
async function follow(following: Following): Promise<number> {
  const { client, path, job, name, output } = following
  output.note(`Job ${job.id} with ${job.model}`)
  const isOver = await Promise.race([showEvents(following), stopRequested().then(() => false)])
  if (!isOver) {
    output.note(`The job goes on. docent job watch ${name} shows it again, docent job archive stops it.`)
    return interrupted
  }
  const ended = await client.call<AgentJob>('GET', path)
  output.result(ended, describe(ended))
  return ended.status === 'failed' ? 1 : 0
}

async function showEvents({ client, path, output, after = '0' }: Following): Promise<boolean> {
  let startedAt: number | null = null
  const onLost = () => output.note('           … the server does not answer; waiting for it to come back')
  for await (const { type, data } of client.events(`${path}/events`, { after, onLost })) {
    const at = Date.parse(String(data.at))
    startedAt ??= at
    const seconds = Math.max(0, (at - startedAt) / 1000)
    const mark = data.ok === false ? '✗' : (marks[type] ?? '·')
    output.note(`${seconds.toFixed(1).padStart(7)} s  ${mark} ${String(data.text).replace(/\p{Cc}/gu, ' ')}`)
  }
  return true
}

function describe(job: AgentJob): string {
  const { steps, inputTokens, outputTokens } = job.usage
  const tokens = inputTokens + outputTokens > 0 ? `, ${inputTokens} tokens in and ${outputTokens} out` : ''
  // A job that changed nothing made no branch.
  const hasBranch = job.branch !== null && (job.status === 'active' || job.prLink !== null)
  const rows: [string, string | null][] = [
    ['id', job.id],
    ['status', job.status],
    ['title', job.title],
    ['pull request', job.prLink],
    ['repository', job.source.repository],
    ['branch', hasBranch ? `${job.source.ref} ← ${job.branch}` : job.source.ref],
    ['model', job.model],
    ['usage', `${counted(steps, 'step')}${tokens}`],
    ['created', job.createdAt],
    ['archived', job.archivedAt],
    ['error', job.error && `${job.error.message} (${job.error.code})`],
  ]
  const shown = rows.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(14)}${value}`)
  const text = [...shown, ...(job.summary ? ['', job.summary] : [])].join('\n')
  // What a model or a host said must not move the cursor about.
  return text.replace(/[^\P{Cc}\n]/gu, ' ')
}
