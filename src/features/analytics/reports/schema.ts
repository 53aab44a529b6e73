import { isIP } from 'node:net'
import { z } from 'zod'
import { intervals, pathSorts, referrerGroups, sortOrders } from '#backends/events/event-store.ts'
import { aiCategories } from '#backends/events/view.ts'
import { Paging, ProjectId, Timestamp } from '#infra/http/schema.ts'
import { rangeQuery } from './date-range.ts'

export const ProjectParams = z.object({ projectId: ProjectId })
export const PageQuery = rangeQuery(Paging)
export const PathQuery = rangeQuery({
  ...Paging,
  sort: z
    .enum(pathSorts, { error: 'expected total, human, ai or path' })
    .optional()
    .meta({ description: 'What the pages are ordered by; those of one count by path, ascending. Default `total`.' }),
  order: z
    .enum(sortOrders, { error: 'expected asc or desc' })
    .optional()
    .meta({ description: 'Default `desc`; for `sort=path`, `asc`.' }),
  path: z
    .string({ error: 'expected one text, found several' })
    .max(1024, 'expected at most 1024 characters')
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'expected Unicode text without NUL')
    .optional()
    .meta({
      description:
        'Only pages whose path has this text in it; A to Z are the same as a to z. Totals stay those of the site.',
      examples: ['/guides/'],
    }),
})
export const ReferrerQuery = rangeQuery({
  ...Paging,
  by: z
    .enum(referrerGroups, { error: 'expected host or url' })
    .default('host')
    .meta({ description: 'By the host of the address that readers came from, or by the address. Default `host`.' }),
})
export const TimeseriesQuery = rangeQuery({
  interval: z
    .enum(intervals, { error: 'expected hour, day, week or month' })
    .default('day')
    .meta({ description: 'How long each interval is, in UTC. Weeks start on Monday. Default `day`.' }),
})
export const ExportQuery = rangeQuery({
  format: z
    .enum(['jsonl', 'parquet'], { error: 'expected jsonl or parquet' })
    .default('jsonl')
    .meta({ description: 'JSON lines, or a Parquet file. Default `jsonl`.' }),
})

const VisitorCounts = z.object({
  human: z.int().meta({ description: 'Unique visitors that are people.', examples: [120] }),
  ai: z.int().meta({ description: 'Unique visitors that are AI clients.', examples: [45] }),
  total: z.int().meta({ description: 'Unique visitors; one that was seen as both is one.', examples: [160] }),
})
const ViewCounts = z.object({
  human: z.int().meta({ description: 'Views by people.', examples: [310] }),
  ai: z.int().meta({ description: 'Views by AI clients.', examples: [80] }),
  total: z.int().meta({ description: 'The sum of both.', examples: [390] }),
})
const Path = z.string().meta({ description: 'Path of the page.', examples: ['/quickstart'] })
const HasMore = z.boolean().meta({ description: 'Whether there are rows after these.' })

export const VisitorReport = z
  .object({
    totals: VisitorCounts.meta({ description: 'Of the whole site in the range, whichever rows are asked for.' }),
    visitors: z.array(z.object({ path: Path, ...VisitorCounts.shape })),
    hasMore: HasMore,
  })
  .meta({ id: 'VisitorReport' })
export type VisitorReport = z.output<typeof VisitorReport>

export const ViewReport = z
  .object({
    totals: ViewCounts.meta({ description: 'Of the whole site in the range, whichever rows are asked for.' }),
    views: z.array(z.object({ path: Path, ...ViewCounts.shape })),
    hasMore: HasMore,
  })
  .meta({ id: 'ViewReport' })
export type ViewReport = z.output<typeof ViewReport>

export const AgentReport = z
  .object({
    totals: z.object({ visitors: z.int(), views: z.int() }),
    agents: z.array(
      z.object({
        client: z.string().meta({ description: 'Name of the AI client; `unnamed` when only its kind is known.' }),
        category: z.enum(aiCategories),
        visitors: z.int(),
        views: z.int(),
        verifiedViews: z.int().meta({
          description: 'Of the views, those whose client was verified by a signature or a published address.',
        }),
        lastSeenAt: Timestamp,
        reasons: z.array(z.string()).meta({
          description: 'Why its views were taken for this client and category, each reason once.',
          examples: [['user agent list: GPTBot']],
        }),
      }),
    ),
    hasMore: HasMore,
  })
  .meta({ id: 'AgentReport' })
export type AgentReport = z.output<typeof AgentReport>

const ReferrerCounts = z.object({
  ...VisitorCounts.shape,
  views: z.int().meta({ description: 'Views by both.', examples: [390] }),
})
export const ReferrerReport = z
  .object({
    totals: ReferrerCounts.meta({ description: 'Of the whole site in the range, whichever rows are asked for.' }),
    referrers: z.array(
      z.object({
        referrer: z
          .string()
          .nullable()
          .meta({
            description:
              'Where the readers came from: a host, or origin and path of an address. Null: they did not say, as from a typed address, a mail or most AI clients.',
            examples: ['search.example.com'],
          }),
        ...ReferrerCounts.shape,
      }),
    ),
    hasMore: HasMore,
  })
  .meta({ id: 'ReferrerReport' })
export type ReferrerReport = z.output<typeof ReferrerReport>

export const Timeseries = z
  .object({
    interval: z.enum(intervals),
    timeseries: z.array(z.object({ start: Timestamp, visitors: VisitorCounts, views: ViewCounts })),
  })
  .meta({ id: 'Timeseries' })
export type Timeseries = z.output<typeof Timeseries>

const Address = z
  .string()
  .max(64)
  .refine((text) => isIP(text) !== 0, 'expected an IPv4 or IPv6 address')
  .meta({ examples: ['203.0.113.7'] })

const whoIsMeant = 'expected {visitorId}, {visitor} (16 hex digits), or {ip, userAgent}'

/** Strict, as with two of them at once it would not be plain who is meant. */
export const Forgotten = z
  .union(
    [
      z.strictObject(
        {
          visitorId: z
            .string()
            .min(1, 'expected 1 to 256 characters')
            .max(256, 'expected 1 to 256 characters')
            .meta({ description: 'The id that your events named the visitor by.' }),
        },
        { error: whoIsMeant },
      ),
      z.strictObject(
        {
          visitor: z
            .string()
            .regex(/^[0-9a-fA-F]{16}$/, 'expected 16 hex digits')
            .meta({ description: '`visitor` of an export: 16 hex digits.' }),
        },
        { error: whoIsMeant },
      ),
      z.strictObject(
        { ip: Address, userAgent: z.string().max(8192, 'expected at most 8192 characters') },
        { error: whoIsMeant },
      ),
    ],
    { error: whoIsMeant },
  )
  .meta({ description: 'Who is meant: by your own id, by the id of an export, or by address and user agent.' })
export type Forgotten = z.output<typeof Forgotten>

export const ForgottenViews = z.object({ views: z.int().meta({ description: 'How many views were deleted.' }) })
