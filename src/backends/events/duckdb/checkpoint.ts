import { stat } from 'node:fs/promises'
import type { Committer } from './committer.ts'
import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'

interface CheckpointInput {
  connection: Connection
  /** The log that DuckDB writes before it changes the file. */
  walFile: string
  committer: Pick<Committer, 'between'>
  readers: Pick<Pool, 'whileIdle'>
}

// The more is in the log, the longer a file takes to open after a crash, and the more of it is left empty by what was
// written and replaced in between. While somebody counts, they would wait for it, so that it is done less often.
const largeBytes = 16 * 1024 * 1024
const largeWhileAskedBytes = 128 * 1024 * 1024
// Reports are over by then; an export is not, and then the next time will do.
const mostWaitMs = 500

/**
 * Has DuckDB write its log into the tables if it is large. It could do so at any commit and beside other transactions, but
 * those were seen to read wrong values then (a fold took new views for ones that it had, and dropped them), so it is done
 * while nothing else is under way. The caller sees to it that nothing else uses the connection.
 */
export async function checkpointIfLarge(
  { connection, walFile, committer, readers }: CheckpointInput,
  { isAsked }: { isAsked: boolean },
): Promise<void> {
  const bytes = (await stat(walFile).catch(() => null))?.size ?? 0
  if (bytes < (isAsked ? largeWhileAskedBytes : largeBytes)) return
  await readers.whileIdle(() => committer.between(() => connection.run('checkpoint')), mostWaitMs)
}
