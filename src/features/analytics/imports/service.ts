import { setImmediate as nextTurn } from 'node:timers/promises'
import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject, projectNotFound } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import type { Hit } from '../intake/hit.ts'
import type { ClientSlot } from '../intake/reader.ts'
import { type ImportedViews, type ImportPosition, type ImportResult, idLength, type NewImport } from './schema.ts'
import * as store from './store.ts'

// Rows that are worked on before other requests get their turn: some ten milliseconds of work.
const rowsPerTurn = 2_500

/**
 * Takes a batch of views out of a log. Done when they are durable and the log's position is written down after them, so
 * that whoever goes on from it has lost nothing; a batch that is sent again counts once.
 */
export async function importViews(
  deps: AnalyticsDeps,
  { projectId, by, batch }: { projectId: string; by: Caller; batch: NewImport },
): Promise<ImportResult> {
  await getProject(deps, { id: projectId, by })
  checkColumns(batch)
  const recorded: Promise<ImportResult>[] = []
  const slots = batch.clients.address.map((): ClientSlot => ({ context: null, reader: null }))
  const rows = batch.views.at.length
  for (let start = 0; start < rows; start += rowsPerTurn) {
    const hits = hitsOf(batch, slots, { from: start, to: Math.min(start + rowsPerTurn, rows) })
    const record = deps.intake.record(projectId, hits)
    // Looked at below; until then its failure is nobody's, which would end the process.
    record.catch(() => {})
    recorded.push(record)
    await nextTurn()
  }
  const result = sum(await Promise.all(recorded))
  const isSaved = await store.saveImport(deps.db, { projectId, ...batch.log, updatedAt: deps.clock.now() })
  // Somebody deleted it meanwhile.
  if (!isSaved) throw projectNotFound()
  return result
}

/** Throws `not_found` when nothing of this log is in. */
export async function getImport(
  deps: AnalyticsDeps,
  { projectId, fingerprint, by }: { projectId: string; fingerprint: string; by: Caller },
): Promise<ImportPosition> {
  await getProject(deps, { id: projectId, by })
  const isFingerprint = /^[0-9a-f]{64}$/.test(fingerprint)
  const found = isFingerprint ? await store.findImport(deps.db, { projectId, fingerprint }) : null
  if (found) return found
  throw new DocentError('not_found', 'import.not_found', 'Nothing of this log has been imported into this project.')
}

/** What the schema cannot say: columns of equal length, and indexes that lead somewhere. */
function checkColumns({ texts, clients, views }: ImportedViews): void {
  const { id, ...columns } = views
  const rows = views.at.length
  for (const [name, column] of Object.entries(columns)) expectLength(`views.${name}`, column.length, rows)
  expectLength('views.id', id.length, rows * idLength)
  for (const [name, column] of Object.entries(clients)) {
    if (column === undefined) continue
    expectLength(`clients.${name}`, column.length, clients.address.length)
    expectBelow(`clients.${name}`, column, texts.length)
  }
  expectBelow('views.client', views.client, clients.address.length)
  expectBelow('views.path', views.path, texts.length)
  expectBelow('views.referrer', views.referrer, texts.length)
  if (views.path.includes(-1)) throw invalidColumn('views.path', 'expected a path for every view, found -1')
}

function expectLength(path: string, found: number, expected: number): void {
  if (found !== expected) throw invalidColumn(path, `expected a length of ${expected}, found ${found}`)
}

function expectBelow(path: string, column: readonly number[], limit: number): void {
  const wrong = column.find((index) => index >= limit)
  if (wrong !== undefined) throw invalidColumn(path, `expected indexes below ${limit}, found ${wrong}`)
}

function invalidColumn(path: string, message: string): DocentError {
  return new DocentError('invalid', 'request.invalid', `${path}: ${message}.`, { details: [{ path, message }] })
}

function hitsOf(
  { texts, clients, views }: ImportedViews,
  slots: readonly ClientSlot[],
  { from, to }: { from: number; to: number },
): Hit[] {
  const textAt = (index: number) => (index < 0 ? null : texts[index]!)
  const bytes = Buffer.from(views.id.slice(from * idLength, to * idLength), 'hex')
  const ids = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const hits: Hit[] = []
  for (let row = from; row < to; row++) {
    const client = views.client[row]!
    const hit: Hit = {
      source: 'log',
      at: views.at[row]!,
      path: texts[views.path[row]!]!,
      address: textAt(clients.address[client]!),
      userAgent: textAt(clients.userAgent[client]!),
      referrer: textAt(views.referrer[row]!),
      visitorId: null,
      category: null,
      id: ids.getBigUint64((row - from) * 8),
      client: slots[client]!,
    }
    // -2: the log does not tell.
    const accept = clients.accept?.[client] ?? -2
    const acceptLanguage = clients.acceptLanguage?.[client] ?? -2
    if (accept !== -2) hit.accept = textAt(accept)
    if (acceptLanguage !== -2) hit.acceptLanguage = textAt(acceptLanguage)
    hits.push(hit)
  }
  return hits
}

function sum(results: ImportResult[]): ImportResult {
  const skipped: Record<string, number> = {}
  let accepted = 0
  for (const result of results) {
    accepted += result.accepted
    for (const [reason, count] of Object.entries(result.skipped)) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  return { accepted, skipped }
}
