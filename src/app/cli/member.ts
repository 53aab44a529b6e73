import { DocentError } from '#base/errors.ts'
import type { Member, OneTimeLink } from '#features/accounts/members/schema.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { table } from './output.ts'

export const memberList = defineCommand({
  name: 'member list',
  about: 'Lists the people of the organization, and what they may do.',
  options: { ...serverOptions },
  async run(input) {
    const members = await listMembers(createClient(input))
    const rows = members.map(({ email, name, role, lastSeenAt, id }) => [email, name, role, lastSeenAt, id])
    input.output.result({ members }, table(['e-mail', 'name', 'role', 'last seen', 'id'], rows))
  },
})

export const memberPasswordLink = defineCommand({
  name: 'member password-link',
  about: 'Prints a link with which a member chooses a new password.',
  args: [{ name: 'email', about: 'Their e-mail address; docent member list shows them.' }],
  options: { ...serverOptions },
  examples: ['docent member password-link ana@example.com'],
  async run(input) {
    const [email] = input.args as [string]
    const client = createClient(input)
    const member = (await listMembers(client)).find((one) => one.email === email.trim().toLowerCase())
    if (!member) {
      const message = `There is no member with the e-mail address ${JSON.stringify(email)}. See: docent member list`
      throw new DocentError('not_found', 'member.not_found', message)
    }
    const link = await client.call<OneTimeLink>('POST', `/v1/members/${member.id}/password-link`)
    const text = `${link.url}\n\nFor ${member.name}. It works once, until ${link.expiresAt}; using it ends their sessions.`
    input.output.result(link, text)
  },
})

async function listMembers(client: Client): Promise<Member[]> {
  return (await client.call<{ members: Member[] }>('GET', '/v1/members')).members
}
