import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operations, Project } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { type Column, Pager, Table } from '../../ui/Table.tsx'
import { DownloadCsv } from './DownloadCsv.tsx'
import { queryOf } from './range.ts'
import { useSettled } from './use-settled.ts'
import { type Asked, type Counted, pagesQuery } from './visitor-queries.ts'

type Query = NonNullable<Operations['getVisitors']['query']>
type Sort = NonNullable<Query['sort']>
type Row = { path: string; human: number; ai: number; total: number }

const rowsPerPage = 20
const explained: Record<Counted, Record<Exclude<Sort, 'path'>, string>> = {
  visitors: {
    human: 'Unique people who read the page.',
    ai: 'Unique AI clients that read the page.',
    total: 'Unique visitors of the page; one that was seen as both is one.',
  },
  views: {
    human: 'How often people read the page.',
    ai: 'How often AI clients read the page.',
    total: 'The sum of both.',
  },
}

/** Every page that was read, as the API counts and orders it. */
export function PagesCard({ projectId, range }: Asked) {
  const [counted, setCounted] = useState<Counted>('visitors')
  const [{ sort, order }, setSorting] = useState<{ sort: Sort; order: 'asc' | 'desc' }>({
    sort: 'total',
    order: 'desc',
  })
  const [text, setText] = useState('')
  const [offset, setOffset] = useState(0)
  const path = useSettled(text)
  const { data: project } = useProject()
  const query: Query = { ...queryOf(range), limit: rowsPerPage, offset, sort, order, ...(path && { path }) }
  const pages = useQuery(pagesQuery({ projectId, counted, query }))

  const sortBy = (wanted: Sort) => {
    const first = wanted === 'path' ? 'asc' : 'desc'
    const other = first === 'asc' ? 'desc' : 'asc'
    setSorting({ sort: wanted, order: wanted === sort && order === first ? other : first })
    setOffset(0)
  }
  const sortOf = (name: Sort) => ({
    direction: name !== sort ? ('none' as const) : order === 'asc' ? ('ascending' as const) : ('descending' as const),
    onSort: () => sortBy(name),
  })
  const count = (name: Exclude<Sort, 'path'>, header: string): Column<Row> => ({
    name,
    header: <span title={explained[counted][name]}>{header}</span>,
    isNumber: true,
    sort: sortOf(name),
    cell: (row) => formatNumber(row[name]),
  })
  const columns: Column<Row>[] = [
    {
      name: 'path',
      header: 'Page',
      sort: sortOf('path'),
      className: 'min-w-44 max-w-md break-all',
      cell: (row) => <PageLink project={project} path={row.path} />,
    },
    count('human', 'People'),
    count('ai', 'AI clients'),
    count('total', 'All'),
  ]
  const what = counted === 'visitors' ? 'Unique visitors' : 'Views'
  return (
    <Card
      title="Pages"
      description={`${what} of each page in the range.${counted === 'visitors' ? ' A visitor of three pages counts once on each, so pages do not add up to the site.' : ''}`}
      actions={
        <DownloadCsv
          name={counted === 'visitors' ? 'pages' : 'page-views'}
          operation={counted === 'visitors' ? 'getVisitors' : 'getViews'}
          input={{ path: { projectId }, query }}
          range={range}
        />
      }
    >
      <div className="flex flex-wrap gap-3">
        <SelectField
          label="Count by page"
          isLabelHidden
          value={counted}
          onChange={({ target }) => {
            setCounted(target.value as Counted)
            setOffset(0)
          }}
          options={[
            { value: 'visitors', label: 'Unique visitors' },
            { value: 'views', label: 'Views' },
          ]}
        />
        <TextField
          label="Filter by path"
          isLabelHidden
          type="search"
          placeholder="Part of a path, such as /guides/"
          className="min-w-64 flex-1"
          maxLength={1024}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setOffset(0)
          }}
        />
      </div>
      {pages.isError && <ErrorNote error={pages.error} onRetry={() => pages.refetch()} />}
      {pages.isPending && <SkeletonLines count={6} label="Loading the pages" />}
      {pages.data && (
        <div className="flex flex-col gap-3" aria-busy={pages.isFetching}>
          {pages.data.rows.length > 0 ? (
            <Table caption={`${what} by page`} columns={columns} rows={pages.data.rows} rowKey={(row) => row.path} />
          ) : (
            <p className="rounded-xl border border-dashed px-4 py-8 text-center text-sm text-muted">
              {path ? `No page in this range has “${path}” in its path.` : 'No page was read in this range.'}
            </p>
          )}
          <Pager
            label="Steps through the pages"
            offset={offset}
            limit={rowsPerPage}
            count={pages.data.rows.length}
            hasMore={pages.data.hasMore}
            onMove={setOffset}
          />
        </div>
      )}
    </Card>
  )
}

/** The page on the project's own site, wherever it was read. */
export function PageLink({ project, path }: { project: Project | undefined; path: string }) {
  if (!project) return path
  const address = path.split('/').map(encodeURIComponent).join('/')
  return (
    <a
      href={project.siteUrl.replace(/\/$/, '') + address}
      className="rounded underline decoration-line-strong/50 underline-offset-2 hover:decoration-ink"
    >
      {path}
    </a>
  )
}
