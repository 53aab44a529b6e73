import type { OneTimeLink } from '#features/accounts/members/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'

export const setupLink = defineCommand({
  name: 'setup-link',
  about: 'Prints a link that makes the first owner. The one printed before stops working. On the server only.',
  options: { ...serverOptions },
  async run(input) {
    const link = await createClient(input).call<OneTimeLink>('POST', '/v1/setup-link')
    input.output.result(link, `${link.url}\n\nOpen it in a browser. It works once, until ${link.expiresAt}.`)
  },
})
