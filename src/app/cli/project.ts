import { createInterface } from 'node:readline/promises'
import { DocentError } from '#base/errors.ts'
import type { NewProject, Project } from '#features/projects/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, listProjects } from './find-project.ts'
import { table } from './output.ts'

const projectArg = { name: 'project', about: 'Id, slug or name of the project; docent project list shows them.' }
const address = (id: string) => `/v1/projects/${encodeURIComponent(id)}`

export const projectCreate = defineCommand({
  name: 'project create',
  about: 'Creates a project. Without a provider, the built-in host makes a repository from a starter template.',
  options: {
    name: { type: 'string', about: 'Name of the project.', required: true },
    provider: { type: 'string', value: 'host', about: 'builtin, github, gitlab, gitea or bitbucket.' },
    repository: { type: 'string', value: 'repo', about: 'owner/name or full URL.' },
    ref: { type: 'string', value: 'branch', about: 'Branch to work from.' },
    'docs-path': { type: 'string', value: 'folder', about: 'Folder of the docs inside the repository.' },
    'api-url': { type: 'string', value: 'url', about: 'API address of a self-managed host.' },
    token: { type: 'string', value: 'token', about: 'Access token for the host; stored encrypted.' },
    model: { type: 'string', value: 'model', about: 'Model for agent jobs.' },
    ...serverOptions,
  },
  examples: [
    'docent project create --name "My docs"',
    'docent project create --name API --provider github --repository acme/api',
  ],
  async run(input) {
    const { options, output } = input
    const { repository, ref, token, provider } = options
    const given = { repository, ref, token, docsPath: options['docs-path'], apiUrl: options['api-url'] }
    const source = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const hasSource = provider !== undefined || Object.keys(source).length > 0
    const body = {
      name: options.name,
      ...(hasSource ? { source: { provider: provider ?? 'builtin', ...source } } : {}),
      ...(options.model === undefined ? {} : { model: options.model }),
    } as NewProject
    const project = await createClient(input).call<Project>('POST', '/v1/projects', body)
    output.result(project, `Created ${project.name}.\n\n${describe(project)}`)
  },
})

export const projectList = defineCommand({
  name: 'project list',
  about: 'Lists the projects of the organization.',
  options: { ...serverOptions },
  async run(input) {
    const projects = await listProjects(createClient(input))
    const rows = projects.map(({ id, slug, name, source }) => [id, slug, name, source.provider, source.repository])
    const text =
      rows.length > 0
        ? table(['id', 'slug', 'name', 'host', 'repository'], rows)
        : 'No projects yet: docent project create --name <name>'
    input.output.result({ projects }, text)
  },
})

export const projectShow = defineCommand({
  name: 'project show',
  about: 'Shows one project.',
  args: [projectArg],
  options: { ...serverOptions },
  async run(input) {
    const client = createClient(input)
    const project = await client.call<Project>('GET', address(await findProjectId(client, input.args[0])))
    input.output.result(project, describe(project))
  },
})

export const projectDelete = defineCommand({
  name: 'project delete',
  about: 'Deletes a project, and its repository if the built-in host has it. Asks first.',
  args: [projectArg],
  options: { yes: { type: 'boolean', about: 'Do not ask.' }, ...serverOptions },
  async run(input) {
    const client = createClient(input)
    const id = await findProjectId(client, input.args[0])
    const project = await client.call<Project>('GET', address(id))
    if (!input.options.yes) await confirm(project, input.output.isTerminal)
    await client.call('DELETE', address(id))
    input.output.result({ deleted: id }, `Deleted ${project.name} (${id}).`)
  },
})

async function confirm({ name, source }: Project, isTerminal: boolean): Promise<void> {
  const loss = source.provider === 'builtin' ? ' Its repository is deleted with it.' : ''
  if (!isTerminal || !process.stdin.isTTY) {
    throw new DocentError(
      'invalid',
      'cli.not_confirmed',
      `Deleting ${name} cannot be undone.${loss} Say so with --yes.`,
    )
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`Delete ${name}? This cannot be undone.${loss} Type its name to go on: `)
  lines.close()
  if (answer.trim() !== name)
    throw new DocentError('invalid', 'cli.not_confirmed', 'Not the name; nothing was deleted.')
}

function describe({ id, name, slug, source, model, siteUrl, createdAt }: Project): string {
  return table(
    ['field', 'value'],
    [
      ['id', id],
      ['name', name],
      ['slug', slug],
      ['host', source.provider],
      ['repository', source.repository],
      ['branch', source.ref ?? '(the default branch)'],
      ['docs folder', source.docsPath || '(the root)'],
      ['model', model],
      ['site', siteUrl],
      ['created', createdAt],
    ],
  )
}
