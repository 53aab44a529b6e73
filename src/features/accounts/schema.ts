import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Paging, plainText, Timestamp } from '#infra/http/schema.ts'

export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]

/** What members may do: an owner all, an admin all but to make or remove owners, a viewer nothing but read. */
export const roles = ['owner', 'admin', 'viewer'] as const
export type Role = (typeof roles)[number]

export const Organization = z
  .object({ id: z.string(), name: z.string(), slug: z.string(), createdAt: Timestamp })
  .meta({ id: 'Organization' })
export type Organization = z.output<typeof Organization>

export const NewOrganization = z.object({ name: plainText({ min: 1, max: 100 }) })

const Scopes = z
  .array(z.enum(scopes))
  .min(1, 'expected at least one scope')
  .max(2)
  .meta({ description: '`read` is for GET, `write` for everything (it includes `read`).' })

const AllowedAddress = z
  .string()
  .max(64)
  .refine(isAddressOrNetwork, 'expected an IP address or a network such as 10.0.0.0/8')

// Years of five digits are written in another way, which neither PostgreSQL nor our own answers take.
const latestExpiry = Date.parse('9999-12-31T23:59:59.999Z')

export const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: 'The last four characters of the key.' }),
    scopes: Scopes,
    allowedAddresses: z.array(z.string()).meta({ description: 'Empty: the key works from any address.' }),
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable().meta({ description: 'To within a minute.' }),
    revokedAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Key' })
export type Key = z.output<typeof Key>

export const NewKey = z.object({
  name: plainText({ min: 1, max: 100 }),
  scopes: Scopes.default(['read', 'write']),
  allowedAddresses: z
    .array(AllowedAddress)
    .max(100)
    .default([])
    .meta({ description: 'Addresses or networks the key works from. Empty: any.' }),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'expected an ISO 8601 date-time such as 2030-01-31T00:00:00Z', abort: true })
    .refine((text) => new Date(text).getTime() <= latestExpiry, 'expected a year up to 9999')
    .nullable()
    .default(null)
    .meta({ description: 'When the key stops working. Null: never.' }),
})
export type NewKey = z.output<typeof NewKey>

export const CreatedKey = Key.extend({
  key: z.string().meta({ description: 'The key itself. This is the only time it is shown.' }),
}).meta({ id: 'CreatedKey' })

export const KeyList = z.object({ keys: z.array(Key), hasMore: z.boolean() })

export const KeyQuery = z.object({
  ...Paging,
  includeRevoked: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether revoked keys are listed too.' }),
})

export const AuditRecord = z
  .object({
    id: z.string(),
    at: Timestamp,
    actor: z.object({
      kind: z.enum(['key', 'user', 'local', 'system']),
      id: z.string().nullable(),
      name: z.string(),
    }),
    action: z.string().meta({ examples: ['key.create', 'project.delete'] }),
    target: z.string().meta({ description: 'Id of what was acted on.' }),
    details: z.record(z.string(), z.unknown()),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditRecord' })
export type AuditRecord = z.output<typeof AuditRecord>

export const AuditList = z.object({ records: z.array(AuditRecord), hasMore: z.boolean() })

/**
 * Stricter than the parser that later compares addresses: that one reads 010.0.0.1 as octal and 127.1 as 127.0.0.1,
 * which is not what most people who write them mean. A network of IPv4 addresses written as IPv6 would match nobody.
 */
function isAddressOrNetwork(text: string): boolean {
  const [address = ''] = text.split('/')
  if (isIP(address) === 0) return false
  if (text === address) return true
  return ipaddr.isValidCIDR(text) && ipaddr.process(address).kind() === ipaddr.parse(address).kind()
}
