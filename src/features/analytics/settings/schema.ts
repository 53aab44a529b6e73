import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { categories } from '#backends/events/view.ts'
import { ProjectId, plainText } from '#infra/http/schema.ts'

const Origin = z
  .string()
  .trim()
  .max(300, 'expected at most 300 characters')
  .refine(isOrigin, 'expected an origin such as https://docs.example.com, without a path')
  .transform((text) => new URL(text).origin)
  .meta({ type: 'string', examples: ['https://docs.example.com'] })

const Network = z
  .string()
  .max(64)
  .refine(isNetwork, 'expected an IP address or a network such as 10.0.0.0/8')
  .meta({ examples: ['10.0.0.0/8'] })

const Rule = z
  .object({
    userAgent: plainText({ min: 1, max: 500 }).optional().meta({ description: 'Part of the user agent, in any case.' }),
    networks: z
      .array(Network)
      .min(1, 'expected at least one network')
      .max(100)
      .optional()
      .meta({ description: 'Networks of the client’s address.' }),
    path: plainText({ min: 1, max: 1024 })
      .refine((path) => path.startsWith('/'), 'expected a path that starts with /')
      .optional()
      .meta({ description: 'Start of the page’s path.', examples: ['/internal'] }),
    category: z.enum(categories),
    client: plainText({ min: 1, max: 100 }).optional().meta({ description: 'How the client is called in reports.' }),
  })
  .refine(
    ({ userAgent, networks, path }) => userAgent !== undefined || networks !== undefined || path !== undefined,
    'expected at least one of userAgent, networks and path',
  )
  .meta({ id: 'AnalyticsRule', description: 'What passes all the given tests is of this category.' })

const fields = {
  aiTraffic: z.enum(['all', 'direct']).meta({
    description: '`ai` counts all AI clients, or only those that read for a person who waits (assistants and agents).',
  }),
  visitorIds: z.enum(['stable', 'monthly', 'daily']).meta({
    description:
      'How long one visitor keeps one id. Counts are exact within such a period; over several, somebody who came in two of them counts twice.',
  }),
  retentionDays: z
    .int('expected a whole number from 1 to 3650')
    .min(1, 'expected a whole number from 1 to 3650')
    .max(3650, 'expected a whole number from 1 to 3650')
    .nullable()
    .meta({ description: 'Views are deleted after this many days. Null: never.' }),
}

export const SettingsChange = z
  .object({
    aiTraffic: fields.aiTraffic.optional(),
    visitorIds: fields.visitorIds.optional(),
    retentionDays: fields.retentionDays.optional(),
    origins: z
      .array(Origin)
      .max(50, 'expected at most 50 origins')
      .optional()
      .meta({ description: 'Where the browser script may be on. Replaces the list.' }),
    rules: z
      .array(Rule)
      .max(100, 'expected at most 100 rules')
      .optional()
      .meta({ description: 'The project’s own rules, which come before all others. Replaces the list.' }),
  })
  .meta({ description: 'Only what is given changes.' })
export type SettingsChange = z.output<typeof SettingsChange>

export const Settings = z
  .object({ ...fields, origins: z.array(z.string()), rules: z.array(Rule) })
  .meta({ id: 'AnalyticsSettings' })

export const SettingsParams = z.object({ projectId: ProjectId })

function isOrigin(text: string): boolean {
  // `*` is a character like others in the name of a host, but whoever writes one means many hosts.
  if (!/^https?:\/\/[^/\\?#@*\s]+\/?$/i.test(text) || !URL.canParse(text)) return false
  const { protocol, pathname, username } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && username === ''
}

/** ipaddr.js alone also takes `1` for 0.0.0.1 and `010.0.0.1` for 8.0.0.1, which nobody means. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  return isIP(address) !== 0 && !address.includes('%') && (bits === undefined || ipaddr.isValidCIDR(text))
}
