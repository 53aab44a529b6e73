import type { Organization } from '#features/accounts/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { table } from './output.ts'

export const orgCreate = defineCommand({
  name: 'org create',
  about: 'Creates an organization, with keys and projects of its own. On the server only.',
  options: { name: { type: 'string', about: 'Name of the organization.', required: true }, ...serverOptions },
  examples: ['docent org create --name Acme', 'docent key create --org acme --name "Acme admin"'],
  async run(input) {
    const organization = await createClient(input).call<Organization>('POST', '/v1/organizations', {
      name: input.options.name,
    })
    const { id, name, slug } = organization
    input.output.result(
      organization,
      `Created ${name} (${id}).\nIts first key: docent key create --org ${slug} --name <name>`,
    )
  },
})

export const orgList = defineCommand({
  name: 'org list',
  about: 'Lists the organizations of this server. On the server only.',
  options: { ...serverOptions },
  async run(input) {
    const { organizations } = await createClient(input).call<{ organizations: Organization[] }>(
      'GET',
      '/v1/organizations',
    )
    const rows = organizations.map(({ id, name, slug, createdAt }) => [id, name, slug, createdAt])
    input.output.result({ organizations }, table(['id', 'name', 'slug', 'created'], rows))
  },
})
