import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operations } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { Badge, Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { type Column, Pager, Table } from '../../ui/Table.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { queryOf } from './range.ts'
import { type Asked, type ReferrerQuery, referrersQuery } from './visitor-queries.ts'

type Row = Operations['getReferrers']['answer']['referrers'][number]
type Group = NonNullable<ReferrerQuery['by']>
const rowsPerPage = 20

/** Where readers came from, those who did not say too. */
export function ReferrersCard({ projectId, range }: Asked) {
  const [by, setBy] = useState<Group>('host')
  const [offset, setOffset] = useState(0)
  const { data: project } = useProject()
  const query = { ...queryOf(range), limit: rowsPerPage, offset, by }
  const referrers = useQuery(referrersQuery(projectId, query))
  const count = (name: 'human' | 'ai' | 'total' | 'views', header: string, about: string): Column<Row> => ({
    name,
    header: <span title={about}>{header}</span>,
    isNumber: true,
    cell: (row) => formatNumber(row[name]),
  })
  const columns: Column<Row>[] = [
    {
      name: 'referrer',
      header: 'Came from',
      className: 'min-w-40 max-w-md break-all',
      cell: ({ referrer }) => <Referrer referrer={referrer} siteUrl={project?.siteUrl} />,
    },
    count('human', 'People', 'Unique people who came from there at least once.'),
    count('ai', 'AI clients', 'Unique AI clients that named it.'),
    count('total', 'All', 'Unique visitors; one that was seen as both is one.'),
    count('views', 'Views', 'Pages that were opened from there.'),
  ]
  return (
    <Card
      title="Referrers"
      description="Unique visitors by the page that led them here. One who came from two places counts at both."
      actions={
        <DownloadCsv name="referrers" operation="getReferrers" input={{ path: { projectId }, query }} range={range} />
      }
    >
      <SelectField
        label="Group referrers by"
        isLabelHidden
        className="w-44"
        value={by}
        onChange={({ target }) => {
          setBy(target.value as Group)
          setOffset(0)
        }}
        options={[
          { value: 'host', label: 'By host' },
          { value: 'url', label: 'By address' },
        ]}
      />
      {referrers.isError && <ErrorNote error={referrers.error} onRetry={() => referrers.refetch()} />}
      {referrers.isPending && <SkeletonLines count={4} label="Loading the referrers" />}
      {referrers.data && (
        <div className="flex flex-col gap-3" aria-busy={referrers.isFetching}>
          {referrers.data.referrers.length > 0 ? (
            <Table
              caption="Visitors by referrer"
              columns={columns}
              rows={referrers.data.referrers}
              rowKey={({ referrer }) => referrer ?? ''}
            />
          ) : (
            <p className="rounded-xl border border-dashed px-4 py-8 text-center text-sm text-muted">
              Nobody came in this range.
            </p>
          )}
          <Pager
            label="Steps through the referrers"
            offset={offset}
            limit={rowsPerPage}
            count={referrers.data.referrers.length}
            hasMore={referrers.data.hasMore}
            onMove={setOffset}
          />
        </div>
      )}
    </Card>
  )
}

function Referrer({ referrer, siteUrl }: { referrer: string | null; siteUrl: string | undefined }) {
  if (referrer === null) {
    return (
      <span title="A typed address, a bookmark, a mail, an app, or an AI client: none was sent">
        Direct, or not said
      </span>
    )
  }
  const isOwn = siteUrl !== undefined && (referrer === new URL(siteUrl).host || referrer.startsWith(siteUrl))
  // Not a link: where readers come from is for anybody to make up.
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {referrer} {isOwn && <Badge>this server</Badge>}
    </span>
  )
}
