import { DocentError } from '#base/errors.ts'
import type { Key } from '#features/accounts/schema.ts'
import { createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { table } from './output.ts'

export const keyCreate = defineCommand({
  name: 'key create',
  about: 'Creates an admin API key and shows it, this one time.',
  options: {
    name: { type: 'string', about: 'What the key is for.', required: true },
    scope: {
      type: 'string',
      value: 'scope',
      about: 'read or write; write includes read and is the default.',
      multiple: true,
    },
    expires: { type: 'string', value: 'when', about: 'A date-time, or from now: 12h, 30d, 1y.' },
    allow: {
      type: 'string',
      value: 'address',
      about: 'Address or network the key works from. Any by default.',
      multiple: true,
    },
    ...serverOptions,
  },
  examples: [
    'docent key create --name ci',
    'docent key create --name warehouse --scope read --expires 90d --allow 10.0.0.0/8',
  ],
  async run(input) {
    const { name, scope, expires, allow } = input.options
    const body = {
      name,
      ...(scope.length > 0 ? { scopes: scope } : {}),
      ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, new Date()) }),
      ...(allow.length > 0 ? { allowedAddresses: allow } : {}),
    }
    const created = await createClient(input).call<Key & { key: string }>('POST', '/v1/keys', body)
    input.output.result(created, `${created.key}\n\nKey ${created.id} (${created.name}). It is not shown again.`)
  },
})

export const keyList = defineCommand({
  name: 'key list',
  about: 'Lists the API keys of the organization, without their secrets.',
  options: { revoked: { type: 'boolean', about: 'Revoked ones too.' }, ...serverOptions },
  async run(input) {
    const client = createClient(input)
    const keys: Key[] = []
    for (let hasMore = true; hasMore; ) {
      const query = `limit=250&offset=${keys.length}&includeRevoked=${input.options.revoked}`
      const page = await client.call<{ keys: Key[]; hasMore: boolean }>('GET', `/v1/keys?${query}`)
      keys.push(...page.keys)
      hasMore = page.hasMore
    }
    const rows = keys.map((key) => [
      key.id,
      key.name,
      `…${key.hint}`,
      key.scopes.join(', '),
      key.revokedAt ? 'revoked' : (key.expiresAt ?? 'never'),
      key.allowedAddresses.join(', ') || 'any',
      key.lastUsedAt,
    ])
    input.output.result(
      { keys },
      table(['id', 'name', 'ends in', 'scopes', 'expires', 'works from', 'last used'], rows),
    )
  },
})

export const keyRevoke = defineCommand({
  name: 'key revoke',
  about: 'Revokes an API key; it stops working within a second.',
  args: [{ name: 'keyId', about: 'Id of the key; docent key list shows them.' }],
  options: { ...serverOptions },
  async run(input) {
    const [id] = input.args as [string]
    await createClient(input).call('DELETE', `/v1/keys/${encodeURIComponent(id)}`)
    input.output.result({ revoked: id }, `Revoked ${id}.`)
  },
})

const unitMs = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, y: 365 * 86_400_000 }

/** `30d` from now, or a date-time as it stands. */
function parseExpiry(text: string, now: Date): string {
  const [, amount, unit] = /^(\d{1,5})([hdwy])$/.exec(text) ?? []
  if (amount && unit)
    return new Date(now.getTime() + Number(amount) * unitMs[unit as keyof typeof unitMs]).toISOString()
  const date = new Date(text)
  if (!Number.isNaN(date.getTime()) && /^\d{4}-\d{2}-\d{2}/.test(text)) return date.toISOString()
  const message = `--expires: expected a date such as 2030-01-31, or a time from now such as 12h, 30d, 8w, 1y, found ${JSON.stringify(text)}.`
  throw new DocentError('invalid', 'cli.usage', message)
}
