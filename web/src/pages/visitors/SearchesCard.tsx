import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { SearchTerm } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { MoreButton } from './MoreButton.tsx'
import { PageLink } from './PagesCard.tsx'
import { queryOf } from './range.ts'
import type { Asked } from './visitor-queries.ts'

/** What readers searched for: what they miss, or call by another name. */
export function SearchesCard({ projectId, range }: Asked) {
  const { data: project } = useProject()
  const searches = useInfiniteQuery({
    queryKey: ['analytics', projectId, 'searches', range],
    queryFn: ({ pageParam, signal }) =>
      api.getSearches({
        path: { projectId },
        query: { ...queryOf(range), limit: 10, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
  })
  const rows = searches.data?.pages.flatMap((page) => page.searches) ?? []
  const total = searches.data?.pages[0]?.totalSearches ?? 0
  const columns: Column<SearchTerm>[] = [
    { name: 'term', header: 'Searched for', className: 'max-w-64 break-words', cell: (row) => row.searchQuery },
    { name: 'hits', header: 'Times', isNumber: true, cell: ({ hits }) => formatNumber(hits) },
    {
      name: 'ctr',
      header: <span title="After how many of these searches a result was opened">Opened</span>,
      isNumber: true,
      cell: ({ ctr }) => `${Math.round(ctr * 100)} %`,
    },
    {
      name: 'page',
      header: 'Opened most',
      className: 'max-w-48 break-all',
      cell: ({ topClickedPage }) =>
        topClickedPage === null ? (
          <span className="text-muted">none</span>
        ) : (
          <PageLink project={project} path={topClickedPage} />
        ),
    },
    { name: 'when', header: 'Last', cell: ({ lastSearchedAt }) => <Time at={lastSearchedAt} isRelative /> },
  ]
  return (
    <Card
      title="Searches"
      description={
        total > 0
          ? `${formatNumber(total)} ${total === 1 ? 'search' : 'searches'} on the site in the range, by what was searched for.`
          : 'What readers searched for on the site.'
      }
    >
      {searches.isError && <ErrorNote error={searches.error} onRetry={() => searches.refetch()} />}
      {searches.isPending && <SkeletonLines count={3} label="Loading the searches" />}
      {searches.data && rows.length === 0 && (
        <p className="rounded-xl border border-dashed px-4 py-8 text-center text-sm text-muted">
          Nobody searched in this range.
        </p>
      )}
      {rows.length > 0 && (
        <Table caption="Searches of readers" columns={columns} rows={rows} rowKey={({ searchQuery }) => searchQuery} />
      )}
      <MoreButton list={searches} />
    </Card>
  )
}
