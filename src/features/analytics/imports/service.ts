import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject, projectNotFound } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { readColumns } from './read-columns.ts'
import type { ImportPosition, ImportResult, NewImport } from './schema.ts'
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
  const result = await deps.intake.recordColumns(projectId, readColumns(batch))
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
