import type { Domain } from '#features/site/publish/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { projectOption } from './find-project.ts'
import { table } from './output.ts'
import { siteAddress } from './site.ts'

const options = { ...projectOption, ...serverOptions } as const
const nameArg = { name: 'name', about: 'The domain, such as docs.example.com.' }

export const siteDomainList = defineCommand({
  name: 'site domain list',
  about: 'Lists the domains that a site is served under.',
  options,
  async run(input) {
    const client = createClient(input)
    const found = await client.call<{ domains: Domain[] }>(
      'GET',
      await siteAddress(client, input.options.project, '/domains'),
    )
    const rows = found.domains.map(({ name, url, createdAt }) => [name, url, createdAt])
    const text =
      rows.length === 0 ? 'No domains: docent site domain add <name>' : table(['name', 'address', 'since'], rows)
    input.output.result(found, text)
  },
})

export const siteDomainAdd = defineCommand({
  name: 'site domain add',
  about: 'Serves a site under a domain of its own. The name must lead to this server.',
  args: [nameArg],
  options,
  examples: ['docent site domain add docs.example.com'],
  async run(input) {
    const client = createClient(input)
    const path = await siteAddress(client, input.options.project, '/domains')
    const domain = await client.call<Domain>('POST', path, { name: input.args[0] })
    const words = `Added. Requests for ${domain.name} that reach this server get the site: let its DNS record lead here.`
    input.output.result(domain, words)
  },
})

export const siteDomainRemove = defineCommand({
  name: 'site domain remove',
  about: 'No longer serves a site under a domain.',
  args: [nameArg],
  options,
  async run(input) {
    const client = createClient(input)
    const path = await siteAddress(client, input.options.project, '/domains')
    await client.call('DELETE', `${path}/${encodeURIComponent(input.args[0]!)}`)
    input.output.result({ removed: input.args[0] }, `Removed ${input.args[0]}.`)
  },
})
