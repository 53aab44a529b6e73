import { rm } from 'node:fs/promises'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { EventStore, PathQuery, PathReport } from '../event-store.ts'
import { columnsOf } from '../view-columns.ts'
import { mergeCells } from './cells.ts'
import { checkpointIfLarge } from './checkpoint.ts'
import { createCommitter } from './committer.ts'
import { brokenCode, type Connection, closed, type DuckdbFile, openDuckdbFile } from './connection.ts'
import { countReferrers } from './count-referrers.ts'
import { exportViews } from './export-views.ts'
import { foldTail } from './fold.ts'
import { createFoldTimer } from './fold-timer.ts'
import { deleteProject, forgetVisitors, pruneDays } from './forget.ts'
import type { Place } from './place.ts'
import { createPool } from './pool.ts'
import { countAgents, countIntervals, countViews, countVisitors } from './reports.ts'
import { createRightOfWay } from './right-of-way.ts'
import { dayMs } from './schema.ts'

export interface DuckdbEventsInput {
  file: string
  memoryMb: number
  log: Log
}

// How many queries run at a time; DuckDB uses all cores for each, so more would only wait for each other.
const mostReaders = 4
// Memory for a fold grows with its rows.
const mostRowsPerFold = 250_000
// Cells of the same place are added up when there are this many more than after the last time.
const mergeAtRows = 200_000

/** The embedded store: one DuckDB file. Nothing is opened before the first call. */
export function openDuckdbEvents(input: DuckdbEventsInput): EventStore {
  let opening: Promise<OpenStore> | null = null
  let isClosed = false
  let exporting: Promise<unknown> = Promise.resolve()

  /** Runs the work on the open file. One that cannot be opened, or broke, is opened anew by the next call. */
  async function use<T>(work: (store: OpenStore) => Promise<T>): Promise<T> {
    if (isClosed) throw closed()
    opening ??= open(input)
    const current = opening
    let store: OpenStore | null = null
    try {
      store = await current
      return await work(store)
    } catch (error) {
      if (opening === current && !store) opening = null
      if (opening === current && store && isBroken(error)) opening = openAgain(store)
      throw error
    }
  }

  /** Never two at a time: each would write over what the other wrote. */
  function openAgain(broken: OpenStore): Promise<OpenStore> {
    const again = broken.close().then(
      () => open(input),
      () => open(input),
    )
    // Whoever calls next is told; without that, nobody may be there to hear it.
    again.catch(() => {})
    return again
  }

  const pathReport = async (query: PathQuery, count: typeof countVisitors): Promise<PathReport> => {
    const report = await use(({ read }) => read(query.projectId, (...from) => count(...from, query)))
    return report ?? { totals: { human: 0, ai: 0, total: 0 }, rows: [], hasMore: false }
  }

  return {
    append: (views) => use((store) => store.append(columnsOf(views))),
    appendColumns: (columns) => use((store) => store.append(columns)),
    visitors: (query) => pathReport(query, countVisitors),
    views: (query) => pathReport(query, countViews),
    async agents(query) {
      const report = await use(({ read }) => read(query.projectId, (...from) => countAgents(...from, query)))
      return report ?? { totals: { visitors: 0, views: 0 }, rows: [], hasMore: false }
    },
    async referrers(query) {
      const report = await use(({ read }) => read(query.projectId, (...from) => countReferrers(...from, query)))
      return report ?? { totals: { human: 0, ai: 0, total: 0, views: 0 }, rows: [], hasMore: false }
    },
    async timeseries(query) {
      return (await use(({ read }) => read(query.projectId, (...from) => countIntervals(...from, query)))) ?? []
    },
    exportViews({ projectId, ...query }) {
      const write = (connection: Connection, place: Place) =>
        exportViews(connection, place, { ...query, folder: exportsFolder(input.file) })
      // One after the other: several at once would leave no memory to those who append and count meanwhile.
      const turn = exporting.then(() =>
        use(({ read, readNobody }) => read(projectId, write).then((stream) => stream ?? readNobody(write))),
      )
      exporting = turn.catch(() => {})
      return turn
    },
    async forgetVisitors({ projectId, visitors }) {
      if (visitors.length === 0) return 0
      return await use(({ change }) =>
        change(projectId, (connection, project) => forgetVisitors(connection, project, visitors)),
      )
    },
    deleteProject: (projectId) => use((store) => store.deleteProject(projectId)),
    prune({ projectId, before }) {
      const firstDay = Math.max(0, Math.floor(before / dayMs))
      return use(({ change }) => change(projectId, (connection, project) => pruneDays(connection, project, firstDay)))
    },
    listProjects: () => use((store) => store.listProjects()),
    compact: () => use((store) => store.fold()),
    ping: () => use((store) => store.ping()),
    async close() {
      isClosed = true
      await (await opening?.catch(() => null))?.close()
      opening = null
    },
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof DocentError && error.code === brokenCode
}

type OpenStore = Awaited<ReturnType<typeof open>>

async function open({ file, memoryMb, log }: DuckdbEventsInput) {
  const duckdb = await openDuckdbFile({ file, memoryMb })
  try {
    // What was written for an export when the process was killed.
    await rm(exportsFolder(file), { recursive: true, force: true })
    return await startStore(duckdb, { walFile: `${file}.wal`, log })
  } catch (error) {
    // The next call opens it anew, and never may it be open twice.
    duckdb.close()
    throw error
  }
}

function exportsFolder(file: string): string {
  return `${file}.exports`
}

async function startStore(duckdb: DuckdbFile, { walFile, log }: { walFile: string; log: Log }) {
  const rightOfWay = createRightOfWay()
  const committer = await createCommitter(await duckdb.connect(), {
    onCommit: () => foldTimer.committed(),
    giveWay: rightOfWay.give,
  })
  const writer = await duckdb.connect()
  const readers = createPool(() => duckdb.connect(), mostReaders)
  let isClosing = false
  const [facts] = await writer.query('select merged_cells from facts')
  let mergedCells = Number(facts!.merged_cells)
  // All changes but appending run one after the other, on one connection.
  let changing: Promise<unknown> = Promise.resolve()
  const foldTimer = createFoldTimer({ fold, tailRows: committer.tailRows, log })

  return {
    append: committer.append,

    /** Answers from one moment; null where the project has no view. */
    async read<T>(projectId: string, ask: (connection: Connection, place: Place) => Promise<T>): Promise<T | null> {
      const project = committer.projectNumber(projectId)
      if (project === undefined) return null
      foldTimer.asked()
      return await rightOfWay.take(() =>
        readers.use((connection) => {
          const place = { project, hasTail: committer.tailRows() > 0 }
          return connection.transaction(() => ask(connection, place))
        }),
      )
    },
    /** Asks for a project that does not exist. */
    readNobody: <T>(ask: (connection: Connection, place: Place) => Promise<T>) =>
      readers.use((connection) => connection.transaction(() => ask(connection, { project: 0, hasTail: false }))),

    change,
    async deleteProject(projectId: string) {
      committer.folded(await change(projectId, deleteProject))
    },

    listProjects: () =>
      readers.use((connection) =>
        connection.transaction(async () => {
          const rows = await connection.query(`
            select name from projects
            where id in (select project from views union select project from tail) order by name`)
          return rows.map((row) => String(row.name))
        }),
      ),
    ping: () => readers.use((connection) => connection.run('select 1')),
    fold,

    async close() {
      isClosing = true
      foldTimer.stop()
      try {
        await committer.close()
        await changing
        await readers.close()
      } finally {
        duckdb.close()
      }
    },
  }

  /** Changes what is there, the tail folded before; returns what `apply` counted. */
  async function change(
    projectId: string,
    apply: (connection: Connection, project: number) => Promise<number>,
  ): Promise<number> {
    const project = committer.projectNumber(projectId)
    if (project === undefined) return 0
    const last = committer.lastCommitted()
    return await inTurn(async () => {
      await foldUpTo(last)
      // A fold that was broken off has left views that this is about.
      if (isClosing) throw closed()
      return await writer.transaction(() => apply(writer, project))
    })
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = changing.then(work, work)
    changing = turn.catch(() => {})
    return turn
  }

  /** Folds everything that was committed when it was called. */
  async function fold(): Promise<void> {
    const last = committer.lastCommitted()
    await inTurn(() => foldUpTo(last))
  }

  async function foldUpTo(last: bigint): Promise<void> {
    while (!isClosing) {
      const started = performance.now()
      const rows = await foldSome(last)
      if (rows === 0) break
      foldTimer.took(performance.now() - started)
      await checkpointIfLarge({ connection: writer, walFile, committer, readers }, { isAsked: foldTimer.isAsked() })
    }
  }

  async function foldSome(last: bigint): Promise<number> {
    const rows = await writer.transaction(async () => {
      const [batch] = await writer.query(`
        select count(*) as rows, max(seq) as last
        from (select seq from tail where seq <= ${last} order by seq limit ${mostRowsPerFold})`)
      if (batch!.rows !== 0n) await foldTail(writer, batch!.last as bigint)
      return Number(batch!.rows)
    })
    if (rows === 0) return 0
    committer.folded(rows)
    await mergeWhenMany()
    return rows
  }

  async function mergeWhenMany(): Promise<void> {
    if ((await countCells()) - mergedCells < mergeAtRows + mergedCells / 2) return
    await writer.transaction(() => mergeCells(writer))
    mergedCells = await countCells()
  }

  async function countCells(): Promise<number> {
    const [found] = await writer.query('select count(*) as cells from cells')
    return Number(found!.cells)
  }
}
