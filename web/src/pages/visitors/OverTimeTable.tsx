import { useState } from 'react'
import { intervalName, isToCome } from '../../charts/interval-words.ts'
import type { OverTimeProps } from '../../charts/VisitorsChart.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { type Column, Pager, Table } from '../../ui/Table.tsx'

type Row = OverTimeProps['now']['timeseries'][number] & { place: number }

const rowsPerPage = 31
const headers = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' }

/** The numbers of the chart, newest first. */
export function OverTimeTable({ now, previous, counted }: OverTimeProps) {
  const [offset, setOffset] = useState(0)
  const rows = now.timeseries
    .map((row, place): Row => ({ ...row, place }))
    .filter((row) => !isToCome(row))
    .reverse()
  const start = offset < rows.length ? offset : 0
  const shown = rows.slice(start, start + rowsPerPage)
  const count = (key: 'human' | 'ai' | 'total', header: string): Column<Row> => ({
    name: key,
    header,
    isNumber: true,
    cell: (row) => formatNumber(row[counted][key]),
  })
  const before = (key: 'human' | 'ai', header: string): Column<Row> => ({
    name: `${key}-before`,
    header,
    isNumber: true,
    cell: ({ place }) => {
      const then = previous?.timeseries[place]
      return then ? <span title={intervalName(then.start, now.interval)}>{formatNumber(then[counted][key])}</span> : '–'
    },
  })
  return (
    <>
      <Table
        caption={`${counted === 'visitors' ? 'Unique visitors' : 'Views'} by ${now.interval}`}
        rows={shown}
        rowKey={({ start: key }) => key}
        columns={[
          {
            name: 'start',
            header: `${headers[now.interval]} (UTC)`,
            className: 'whitespace-nowrap',
            cell: (row) => intervalName(row.start, now.interval),
          },
          count('human', 'People'),
          count('ai', 'AI clients'),
          count('total', 'All'),
          ...(previous ? [before('human', 'People before'), before('ai', 'AI before')] : []),
        ]}
      />
      <Pager
        label="Steps through time"
        offset={start}
        limit={rowsPerPage}
        count={shown.length}
        hasMore={start + rowsPerPage < rows.length}
        onMove={setOffset}
      />
    </>
  )
}
