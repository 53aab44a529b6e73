import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject, projectNotFound } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import type { HitClient, HitColumns } from '../intake/hit.ts'
import { idLength } from './batch-limits.ts'
import type { ImportedViews, ImportPosition, ImportResult, NewImport } from './schema.ts'
import * as store from './store.ts'

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
  const result = await deps.intake.recordColumns(projectId, columnsOf(batch))
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

function columnsOf({ texts, clients, views }: ImportedViews): HitColumns {
  const { at, client, path, referrer, id } = views
  return { texts, clients: clientsOf(texts, clients), at, client, path, referrer, id: idsOf(id) }
}

function clientsOf(texts: readonly string[], clients: ImportedViews['clients']): HitClient[] {
  const textAt = (index: number) => (index < 0 ? null : texts[index]!)
  return clients.address.map((address, index) => {
    const client: HitClient = {
      source: 'log',
      address: textAt(address),
      userAgent: textAt(clients.userAgent[index]!),
      visitorId: null,
      category: null,
    }
    // -2: the log does not tell.
    const accept = clients.accept?.[index] ?? -2
    const acceptLanguage = clients.acceptLanguage?.[index] ?? -2
    if (accept !== -2) client.accept = textAt(accept)
    if (acceptLanguage !== -2) client.acceptLanguage = textAt(acceptLanguage)
    return client
  })
}

function idsOf(digits: string): BigUint64Array {
  const bytes = Buffer.from(digits, 'hex')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return BigUint64Array.from({ length: bytes.length / 8 }, (_, row) => view.getBigUint64(row * 8))
}
