import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export interface Column<Row> {
  name: string
  header: ReactNode
  cell(row: Row): ReactNode
  /** Numbers stand to the right, under each other. */
  isNumber?: boolean
  /** Where the header can be pressed to sort by it. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort(): void }
  className?: string
}

/** A table with a caption for screen readers; scrolls in its own box where the screen is narrow. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section tabIndex={0} aria-label={caption} className="relative overflow-x-auto rounded-xl border bg-surface">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b bg-sunken/60 text-left text-xs text-muted">
          <tr>
            {columns.map(({ name, header, isNumber, sort }) => (
              <th
                key={name}
                scope="col"
                aria-sort={sort?.direction}
                className={classes('px-4 py-2 font-medium whitespace-nowrap', isNumber && 'text-right')}
              >
                {sort ? (
                  <button type="button" onClick={sort.onSort} className="inline-flex items-center gap-1 hover:text-ink">
                    {header}
                    <span aria-hidden>{{ ascending: '↑', descending: '↓', none: '' }[sort.direction]}</span>
                  </button>
                ) : (
                  header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ name, cell, isNumber, className }) => (
                <td key={name} className={classes('px-4 py-2.5', isNumber && 'text-right', className)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Steps through pages of a list that says whether there are more. */
export function Pager({
  offset,
  limit,
  count,
  hasMore,
  onMove,
  label = 'Pages of the list',
}: {
  offset: number
  limit: number
  count: number
  hasMore: boolean
  onMove(offset: number): void
  /** Which list it is, where a page has several. */
  label?: string
}) {
  if (offset === 0 && !hasMore) return null
  const step = 'rounded-lg border px-3 py-1.5 text-sm font-medium hover:bg-sunken disabled:opacity-40'
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-3 text-sm text-muted">
      <span aria-live="polite">{count === 0 ? 'Nothing here' : `${offset + 1} to ${offset + count}`}</span>
      <span className="flex gap-2">
        <button
          type="button"
          className={step}
          disabled={offset === 0}
          onClick={() => onMove(Math.max(0, offset - limit))}
        >
          Previous
        </button>
        <button type="button" className={step} disabled={!hasMore} onClick={() => onMove(offset + limit)}>
          Next
        </button>
      </span>
    </nav>
  )
}
