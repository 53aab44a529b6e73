import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '#base/counted.ts'
import type { Deployment, DeploymentDetails, Site } from '#features/site/publish/schema.ts'
import { stopRequested } from '../signals.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'
import { type Output, table } from './output.ts'

const options = { ...projectOption, ...serverOptions } as const
const detachOption = { detach: { type: 'boolean', about: 'Do not wait until it is live.' } } as const
const deploymentArg = { name: 'deploymentId', about: 'Id of the deployment; docent site deployments shows them.' }

export const siteShow = defineCommand({
  name: 'site show',
  about: 'Shows where readers find a project’s site, and what they get.',
  options,
  async run(input) {
    const client = createClient(input)
    const project = await siteAddress(client, input.options.project, '')
    const site = await client.call<Site>('GET', `${project}/site`)
    const { deployments } = await client.call<{ deployments: Deployment[] }>('GET', `${project}/deployments?limit=1`)
    const failed = deployments.find(({ state }) => state === 'failed')
    const rows: [string, string][] = [
      ['address', site.url],
      ...site.domains.map((name): [string, string] => ['domain', name]),
      ['live', site.live ? summary(site.live) : failed ? 'nothing yet' : 'nothing yet; the first reader publishes it'],
      // Readers keep what they had, so nothing else tells.
      ...(failed ? [['failed', `${failed.id}: ${failed.error?.message ?? ''}`] as [string, string]] : []),
      ...(site.building ? [['under way', 'another deployment'] as [string, string]] : []),
    ]
    input.output.result(site, clean(rows.map(([name, value]) => `${name.padEnd(11)}${value}`).join('\n')))
  },
})

export const siteDeploy = defineCommand({
  name: 'site deploy',
  about:
    'Publishes the project’s branch as it is now. Another branch or commit can be published instead; it stays until the\nproject’s branch moves next.',
  options: {
    ref: { type: 'string', value: 'branch', about: 'Publish this branch instead.' },
    commit: { type: 'string', value: 'id', about: 'Publish this commit instead.' },
    ...detachOption,
    ...options,
  },
  examples: ['docent site deploy', 'docent site deploy --project api-docs --commit 1f3c9ab'],
  async run(input) {
    const client = createClient(input)
    const { ref, commit, detach } = input.options
    const all = await siteAddress(client, input.options.project, '/deployments')
    const body = { ...(ref === undefined ? {} : { ref }), ...(commit === undefined ? {} : { commit }) }
    const started = await client.call<Deployment>('POST', all, body)
    return await follow({ client, path: `${all}/${started.id}`, started, output: input.output, detach })
  },
})

export const siteRestore = defineCommand({
  name: 'site restore',
  about: 'Returns to what was live before. It stays until the project’s branch moves next.',
  args: [deploymentArg],
  options: { ...detachOption, ...options },
  async run(input) {
    const client = createClient(input)
    const all = await siteAddress(client, input.options.project, '/deployments')
    const started = await client.call<Deployment>('POST', `${all}/${encodeURIComponent(input.args[0]!)}/restore`)
    const { detach } = input.options
    return await follow({ client, path: `${all}/${started.id}`, started, output: input.output, detach })
  },
})

export const siteDeployments = defineCommand({
  name: 'site deployments',
  about: 'Lists the deployments of a site, newest first; or shows one, with what it changed and what it warned of.',
  args: [{ ...deploymentArg, optional: true }],
  options: { limit: { type: 'string', value: 'number', about: 'How many; 20 if left out.' }, ...options },
  async run(input) {
    const client = createClient(input)
    const all = await siteAddress(client, input.options.project, '/deployments')
    if (input.args[0] !== undefined) {
      const one = await client.call<DeploymentDetails>('GET', `${all}/${encodeURIComponent(input.args[0])}`)
      input.output.result(one, describe(one))
      return
    }
    const query = new URLSearchParams({ limit: input.options.limit ?? '20' })
    const page = await client.call<{ deployments: Deployment[]; hasMore: boolean }>('GET', `${all}?${query}`)
    const rows = page.deployments.map((one) => [
      one.id,
      one.isLive ? 'live' : one.state,
      one.reason,
      one.commit?.slice(0, 10) ?? null,
      `${one.pages}`,
      changesOf(one),
      `${one.warnings}`,
      one.createdAt,
    ])
    const header = ['id', 'state', 'reason', 'commit', 'pages', 'changes', 'warnings', 'created']
    const text = rows.length === 0 ? 'No deployments yet: docent site deploy' : table(header, rows)
    input.output.result(page, page.hasMore ? `${text}\n… and more; --limit shows them.` : text)
  },
})

export async function siteAddress(client: Client, project: string | undefined, rest: string): Promise<string> {
  return `/v1/projects/${encodeURIComponent(await findProjectId(client, project))}${rest}`
}

const lookEveryMs = 250
// What a shell says of a command that Ctrl-C ended.
const interrupted = 130

interface Following {
  client: Client
  /** The deployment's address. */
  path: string
  started: Deployment
  output: Output
  detach: boolean
}

/** Waits until it is live or failed; a deployment that failed is a failure of the command. */
async function follow({ client, path, started, output, detach }: Following): Promise<number> {
  const more = `docent site deployments ${started.id} shows it.`
  if (detach) {
    output.result(started, `Started ${started.id}.\n${more}`)
    return 0
  }
  let isStopped = false
  void stopRequested().then(() => {
    isStopped = true
  })
  const startedAt = performance.now()
  for (let state = ''; !isStopped; await sleep(lookEveryMs)) {
    const one = await client.call<DeploymentDetails>('GET', path)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)
    if (one.state !== state) output.note(`${seconds} s  ${words[one.state]}`)
    state = one.state
    if (state !== 'ready' && state !== 'failed') continue
    output.result(one, describe(one))
    return state === 'failed' ? 1 : 0
  }
  output.note(`It goes on. ${more}`)
  return interrupted
}

const words: Record<Deployment['state'], string> = {
  waiting: '· waits for its turn',
  building: '· is being built',
  ready: '✓ is live',
  failed: '✗ failed',
}

function changesOf({ changes: { added, changed, removed } }: Deployment): string {
  return `+${added} ~${changed} -${removed}`
}

function summary(one: Deployment): string {
  const at = one.commit ? `${one.commit.slice(0, 10)}${one.ref ? ` of ${one.ref}` : ''}` : ''
  return `${one.id}, ${at}, ${counted(one.pages, 'page')}, ${counted(one.warnings, 'warning')}, since ${one.finishedAt ?? one.createdAt}`
}

function describe(one: DeploymentDetails): string {
  const rows: [string, string | null][] = [
    ['id', one.id],
    ['state', one.isLive ? 'live' : one.state],
    ['reason', one.reason],
    ['commit', one.commit],
    ['branch', one.ref],
    ['by', one.by],
    ['pages', `${one.pages} (${changesOf(one)})`],
    ['warnings', `${one.warnings}`],
    ['created', one.createdAt],
    ['finished', one.finishedAt],
    ['error', one.error && `${one.error.message} (${one.error.code})`],
  ]
  const lines = rows.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(11)}${value}`)
  const { added, changed, removed } = one.changedPages
  const pages = [
    ...added.map((page) => `+ ${page}`),
    ...changed.map((page) => `~ ${page}`),
    ...removed.map((page) => `- ${page}`),
  ]
  const total = one.changes.added + one.changes.changed + one.changes.removed
  // Of a first deployment all are new.
  if (pages.length > 0 && one.changes.added < one.pages) lines.push('', ...pages, ...rest(total - pages.length))
  const warnings = one.warningList.map(
    ({ path, line, message }) => `${path}${line === null ? '' : `:${line}`}  ${message}`,
  )
  if (warnings.length > 0) lines.push('', ...warnings, ...rest(one.warnings - warnings.length))
  return clean(lines.join('\n'))
}

function rest(count: number): string[] {
  return count > 0 ? [`… and ${count} more`] : []
}

/** What repositories hold must not move the cursor about. */
function clean(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, ' ')
}
