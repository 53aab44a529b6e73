import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operations } from '../../api/client.ts'
import { Badge, Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { type Column, Pager, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { type Kind, kinds } from './kinds.ts'
import { queryOf } from './range.ts'
import { reasonInWords } from './reason-words.ts'
import { type Asked, agentsQuery } from './visitor-queries.ts'

type Agent = Operations['getAgents']['answer']['agents'][number]
const rowsPerPage = 20

const columns: Column<Agent>[] = [
  {
    name: 'client',
    header: 'Client',
    className: 'max-w-48 font-medium break-words',
    cell: ({ client }) => (client === 'unnamed' ? <span title="Only its kind is known">unnamed</span> : client),
  },
  {
    name: 'kind',
    header: 'Kind',
    cell: ({ category }) => (
      <span title={kinds[category].about}>
        <Badge>{kinds[category].name}</Badge>
      </span>
    ),
  },
  {
    name: 'visitors',
    header: <span title="Unique visitors: addresses with a user agent">Visitors</span>,
    isNumber: true,
    cell: ({ visitors }) => formatNumber(visitors),
  },
  { name: 'views', header: 'Views', isNumber: true, cell: ({ views }) => formatNumber(views) },
  { name: 'verified', header: 'Is it who it says?', cell: (agent) => <Verified {...agent} /> },
  {
    name: 'why',
    header: 'Why it was classed so',
    className: 'min-w-64 max-w-md',
    cell: ({ reasons }) => (
      <ul>
        {reasons.map((reason) => (
          <li key={reason} title={reason} className="break-words">
            {reasonInWords(reason)}
          </li>
        ))}
      </ul>
    ),
  },
  { name: 'seen', header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
]

/** AI clients by name and kind, with what they were told by. */
export function AgentsCard({ projectId, range }: Asked) {
  const [offset, setOffset] = useState(0)
  const query = { ...queryOf(range), limit: rowsPerPage, offset }
  const agents = useQuery(agentsQuery(projectId, query))
  return (
    <Card
      title="AI clients"
      description="Who read for a model: by name, most visitors first."
      actions={
        <DownloadCsv name="ai-clients" operation="getAgents" input={{ path: { projectId }, query }} range={range} />
      }
    >
      {agents.isError && <ErrorNote error={agents.error} onRetry={() => agents.refetch()} />}
      {agents.isPending && <SkeletonLines count={4} label="Loading the AI clients" />}
      {agents.data && (
        <div className="flex flex-col gap-3" aria-busy={agents.isFetching}>
          {agents.data.agents.length > 0 ? (
            <Table
              caption="AI clients"
              columns={columns}
              rows={agents.data.agents}
              rowKey={({ client, category }) => `${category} ${client}`}
            />
          ) : (
            <p className="rounded-xl border border-dashed px-4 py-8 text-center text-sm text-muted">
              No AI client read in this range.
            </p>
          )}
          <Pager
            label="Steps through the AI clients"
            offset={offset}
            limit={rowsPerPage}
            count={agents.data.agents.length}
            hasMore={agents.data.hasMore}
            onMove={setOffset}
          />
        </div>
      )}
      <details className="text-sm text-muted">
        <summary className="w-fit rounded underline decoration-dotted underline-offset-2">What the kinds mean</summary>
        <dl className="grid gap-x-4 gap-y-1 pt-2 sm:grid-cols-[auto_1fr]">
          {(Object.keys(kinds) as Kind[]).map((kind) => (
            <div key={kind} className="contents">
              <dt className="font-medium text-ink">{kinds[kind].name}</dt>
              <dd>{kinds[kind].about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  )
}

/** Verified by a signature or a published address, or only claimed by its user agent. */
function Verified({ views, verifiedViews }: Agent) {
  if (verifiedViews === 0) {
    return (
      <span title="Believed by what it says of itself: no signature, no published address">
        <Badge>Claimed</Badge>
      </span>
    )
  }
  return (
    <span title="By a signature, or an address that its operator publishes">
      <Badge tone="good">
        {verifiedViews === views ? 'Verified' : `${formatNumber(verifiedViews)} of ${formatNumber(views)} verified`}
      </Badge>
    </span>
  )
}
