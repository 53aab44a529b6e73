import { DocentError } from '#base/errors.ts'
import type { AgentJob } from '#features/agent/schema.ts'
import type { Project } from '#features/projects/schema.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { type CommandInput, defineCommand } from './command.ts'
import { type Output, table } from './output.ts'

const jobArg = { name: 'jobId', about: 'Id of the job; docent job list shows them.' }
const projectOption = {
  project: {
    type: 'string',
    value: 'id or slug',
    about: 'Project of the job. Not needed when there is only one.',
  },
} as const
const promptOption = {
  prompt: { type: 'string', about: 'What to do, in your own words. “-” reads it from standard input.', required: true },
} as const
const watchOption = { watch: { type: 'boolean', about: 'Show what the agent does until it is done.' } } as const
const options = { ...projectOption, ...serverOptions } as const

type JobInput = CommandInput<typeof options>

export const jobCreate = defineCommand({
  name: 'job create',
  about: 'Asks the agent for a change. It works in the background and opens a pull request.',
  options: {
    ...promptOption,
    ...watchOption,
    'idempotency-key': { type: 'string', value: 'text', about: 'The same key gives the same job, for 24 hours.' },
    ...options,
  },
  examples: [
    `docent job create --prompt 'replace "colour" with "color"' --watch`,
    'docent job create --project api-docs --prompt - < prompt.txt',
  ],
  async run(input) {
    const client = createClient(input)
    const project = await findProject(client, input)
    const key = input.options['idempotency-key']
    const body = { prompt: await readPrompt(input.options.prompt) }
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const job = await client.call<AgentJob>('POST', `/v2/agent/${project}/job`, body, headers)
    return await follow({ client, project, job, output: input.output, watch: input.options.watch })
  },
})

export const jobMessage = defineCommand({
  name: 'job message',
  about: 'Sends a follow-up. The agent goes on, on the same pull request if that is still open.',
  args: [jobArg],
  options: { ...promptOption, ...watchOption, ...options },
  async run(input) {
    const client = createClient(input)
    const project = await findProject(client, input)
    const body = { prompt: await readPrompt(input.options.prompt) }
    const job = await client.call<AgentJob>('POST', `${address(project, input.args[0]!)}/message`, body)
    return await follow({ client, project, job, output: input.output, watch: input.options.watch })
  },
})

export const jobWatch = defineCommand({
  name: 'job watch',
  about: 'Shows what the agent does, from the start, until it is done.',
  args: [jobArg],
  options,
  async run(input) {
    const client = createClient(input)
    const project = await findProject(client, input)
    const job = await client.call<AgentJob>('GET', address(project, input.args[0]!))
    return await follow({ client, project, job, output: input.output, watch: true })
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
    const project = await findProject(client, input)
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
    const job = await client.call<AgentJob>('GET', address(await findProject(client, input), input.args[0]!))
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
    const path = `${address(await findProject(client, input), input.args[0]!)}/archive`
    const job = await client.call<AgentJob>('POST', path)
    input.output.result(job, `Archived ${job.id}.`)
  },
})

function address(project: string, job: string): string {
  return `/v2/agent/${project}/job/${encodeURIComponent(job)}`
}

/** The project's id, by its id or slug, or the only one there is. */
async function findProject(client: Client, { options: { project: wanted } }: JobInput): Promise<string> {
  if (wanted?.startsWith('prj_')) return encodeURIComponent(wanted)
  const { projects } = await client.call<{ projects: Project[] }>('GET', '/v1/projects?limit=250')
  const found = wanted === undefined ? projects : projects.filter(({ slug }) => slug === wanted)
  if (found.length === 1) return found[0]!.id
  const slugs = projects.map(({ slug }) => slug).join(', ') || 'none'
  const message =
    wanted === undefined
      ? `Say which project with --project. There are: ${slugs}.`
      : `There is no project ${JSON.stringify(wanted)}. There are: ${slugs}.`
  throw new DocentError(wanted === undefined ? 'invalid' : 'not_found', 'cli.project', message)
}

async function readPrompt(given: string): Promise<string> {
  if (given !== '-') return given
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface Following {
  client: Client
  project: string
  job: AgentJob
  output: Output
  watch: boolean
}

const marks: Record<string, string> = { completed: '✓', failed: '✗', archived: '✗', check: '✓', retrying: '↻' }

/** Shows the events as they come, then the job; a job that failed is a failure of the command. */
async function follow({ client, project, job, output, watch }: Following): Promise<number> {
  if (!watch) {
    const hint = `docent job watch ${job.id} shows what it does.`
    output.result(job, `Created ${job.id}.\n${hint}`)
    return 0
  }
  output.note(`Job ${job.id} with ${job.model}`)
  const startedAt = Date.parse(job.createdAt)
  for await (const { type, data } of client.events(`${address(project, job.id)}/events`)) {
    const seconds = Math.max(0, (Date.parse(String(data.at)) - startedAt) / 1000)
    const mark = data.ok === false ? '✗' : (marks[type] ?? '·')
    output.note(`${seconds.toFixed(1).padStart(7)} s  ${mark} ${String(data.text).replace(/\p{Cc}/gu, ' ')}`)
  }
  const ended = await client.call<AgentJob>('GET', address(project, job.id))
  output.result(ended, describe(ended))
  return ended.status === 'failed' ? 1 : 0
}

function describe(job: AgentJob): string {
  const rows: [string, string | null][] = [
    ['id', job.id],
    ['status', job.status],
    ['title', job.title],
    ['pull request', job.prLink],
    ['repository', job.source.repository],
    ['branch', job.branch === null ? job.source.ref : `${job.source.ref} ← ${job.branch}`],
    ['model', job.model],
    ['usage', `${job.usage.steps} steps, ${job.usage.inputTokens} + ${job.usage.outputTokens} tokens`],
    ['created', job.createdAt],
    ['archived', job.archivedAt],
    ['error', job.error && `${job.error.message} (${job.error.code})`],
  ]
  const shown = rows.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(14)}${value}`)
  return [...shown, ...(job.summary ? ['', job.summary] : [])].join('\n')
}
