import type { Counts, PathQuery, PathReport } from '../event-store.ts'
import type { Connection, Row } from './connection.ts'

/** Which rows a report by page has, and their totals, as statements over its own `with`. */
interface PathParts {
  with: string
  pages: string
  site: string
}

/** Reads both in one statement, and so from one moment: the totals in the first row, which has no path. */
export async function readPaths(connection: Connection, query: PathQuery, parts: PathParts): Promise<PathReport> {
  const { limit, offset, path } = query
  const order = orderOf(query)
  const isWanted = path === undefined ? 'total > 0' : `total > 0 and contains(${inLowerCase('path')}, $text)`
  const [site, ...rows] = await connection.query(
    `with ${parts.with}
    select * from (
      (select null as path, max(human) as human, max(ai) as ai, max(total) as total from (${parts.site}))
      union all
      (select * from (${parts.pages}) where ${isWanted} order by ${order} limit ${limit + 1} offset ${offset})
    ) order by path is not null, ${order}`,
    path === undefined ? undefined : { text: path.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) },
  )
  return {
    totals: counts(site!),
    rows: rows.slice(0, limit).map((row) => ({ path: String(row.path), ...counts(row) })),
    hasMore: rows.length > limit,
  }
}

function orderOf({ sort = 'total', order = sort === 'path' ? 'asc' : 'desc' }: PathQuery): string {
  return sort === 'path' ? `path ${order}` : `${sort} ${order}, path`
}

/** Of A to Z alone: about other letters, languages and versions of Unicode differ. */
function inLowerCase(column: string): string {
  return `translate(${column}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`
}

export function counts(row: Row): Counts {
  return { human: Number(row.human ?? 0), ai: Number(row.ai ?? 0), total: Number(row.total ?? 0) }
}
