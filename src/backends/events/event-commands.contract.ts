import fc, { type Arbitrary } from 'fast-check'
import {
  type Interval,
  intervals,
  type PathQuery,
  pathSorts,
  type Range,
  type ReferrerGroup,
  referrerGroups,
  sortOrders,
} from './event-store.ts'
import { categories, type View, verifications, viewSources } from './view.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Friday: with the days after it, a month and a week begin, on different days. */
const firstDay = Date.UTC(2026, 0, 30)

/** One thing to do with a store. Projects are `0` and `1`. */
export type Command =
  | { do: 'append'; views: View[] }
  | { do: 'compact' | 'compact meanwhile' | 'reopen' }
  | { do: 'forget'; projectId: string; visitors: bigint[] }
  | { do: 'prune'; projectId: string; before: number }
  | { do: 'delete'; projectId: string }
  | { do: 'ask'; query: Question }

/** What every report of a store can be asked by. */
export interface Question extends PathQuery {
  interval: Interval
  by: ReferrerGroup
}

const anyProject = fc.constantFrom('0', '0', '0', '1')

/** Few, so that two views are often of the same page, visitor and moment. */
const anyDay = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 4 }).map((days) => firstDay + days * dayMs) },
  { weight: 1, arbitrary: fc.constantFrom(Date.UTC(2000, 0, 1), Date.UTC(2024, 1, 29), Date.UTC(2038, 0, 19)) },
)
const anyTimeOfDay = fc.constantFrom(0, 0, 1, hourMs - 1, hourMs, 12 * hourMs, 12 * hourMs + 1, dayMs - 1, dayMs - 1)
const anyMoment = fc.tuple(anyDay, anyTimeOfDay).map(([day, time]) => day + time)

/** In the order of UTF-8; by UTF-16 the one above U+FFFF would come before the two before it. */
const oddPaths = ['/e', '/e\u0301', '/é', '/\ue000', '/\uff5e', '/\u{1f600}']
const anyPagePath = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('/', '/a', '/b', '/A') },
  { weight: 1, arbitrary: fc.constantFrom(...oddPaths) },
)

const referrers = [
  'https://example.com/',
  'https://example.com/a',
  'http://example.com/a',
  'https://example.com:8443/',
  'https://é.example/',
  'nowhere',
]

const max64 = 2n ** 64n - 1n
const anyVisitor = fc.constantFrom(1n, 2n, 3n, 4n, 0n, 2n ** 63n, max64)
const anyEventId = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(1n, 2n, 3n, 0n, 2n ** 63n, max64) },
)

const anyView: Arbitrary<View> = fc.record({
  projectId: anyProject,
  at: anyMoment,
  path: anyPagePath,
  visitor: anyVisitor,
  eventId: anyEventId,
  verdict: fc.record({
    category: fc.constantFrom('human' as const, 'human' as const, ...categories),
    client: fc.constantFrom(null, 'GPTBot', 'Claude Code', '\ue000', '\u{1f600}'),
    reason: fc.constantFrom('user agent list', 'a browser'),
    verification: fc.constantFrom(...verifications),
    listVersion: fc.constant('1'),
  }),
  referrer: fc.constantFrom(null, ...referrers),
  source: fc.constantFrom(...viewSources),
})

/** Mostly bounds that a view can lie on or beside, at a midnight or within a day; also none, and empty ranges. */
const anyBound = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: anyDay },
  { weight: 3, arbitrary: fc.tuple(anyMoment, fc.constantFrom(0, 1, -1)).map(([at, by]) => at + by) },
)
const anyRange: Arbitrary<Range> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(anyBound, anyBound).map(([a, b]) => inOrder(a, b)) },
  { weight: 1, arbitrary: anyMoment.map((at) => ({ from: at, to: at + 1 })) },
  { weight: 1, arbitrary: fc.record({ from: anyBound, to: anyBound }) },
)

const anyQuestion: Arbitrary<Question> = fc.record(
  {
    projectId: anyProject,
    range: anyRange,
    ai: fc.constantFrom('all' as const, 'direct' as const),
    interval: fc.constantFrom(...intervals),
    by: fc.constantFrom(...referrerGroups),
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
    sort: fc.constantFrom(...pathSorts),
    order: fc.constantFrom(...sortOrders),
    path: fc.constantFrom('', '/', 'a', 'A', 'é', '\u0301', '%', '_', "'"),
  },
  { requiredKeys: ['projectId', 'range', 'ai', 'interval', 'by', 'limit', 'offset'] },
)

const anyCommand: Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('append' as const), views: fc.array(anyView, { maxLength: 12 }) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ask' as const), query: anyQuestion }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'compact meanwhile' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('forget' as const),
      projectId: anyProject,
      visitors: fc.array(anyVisitor, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), projectId: anyProject, before: anyMoment }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), projectId: anyProject }) },
)

export const anyCommands = fc.array(anyCommand, { minLength: 1, maxLength: 20, size: 'max' }).map((commands) =>
  // What fast-check prints when it found a list that fails.
  Object.defineProperty(commands, fc.toStringMethod, { value: () => commands.map(lineOf).join('') }),
)

function lineOf(command: Command): string {
  const { do: verb, ...rest } = command
  const rows = command.do === 'append' ? command.views.map(viewLineOf).join('') : ` ${fc.stringify(rest)}`
  return `\n  ${verb}${rows}`
}

function viewLineOf({ projectId, at, path, visitor, eventId, verdict }: View): string {
  const text = `${new Date(at).toISOString()} project ${projectId} ${fc.stringify(path)} visitor ${visitor} id ${eventId}`
  return `\n    ${text} ${verdict.category} ${fc.stringify(verdict.client)} ${verdict.verification}`
}

function inOrder(a: number | null, b: number | null): Range {
  return a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }
}
