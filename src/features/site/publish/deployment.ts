import type { Deployment, DeploymentDetails, DeploymentReason, DeploymentState } from './schema.ts'
import type { DeploymentRow, StoredChanges } from './store.ts'

const noRoutes = { added: [], changed: [], removed: [] }

/** A deployment as the API shows it; `liveId` is the one that readers get. */
export function toDeployment(row: DeploymentRow, liveId: string | null): Deployment {
  const { added = 0, changed = 0, removed = 0 } = row.changes as Partial<StoredChanges>
  return {
    id: row.id,
    state: row.state as DeploymentState,
    reason: row.reason as DeploymentReason,
    commit: row.commit,
    ref: row.ref === '' ? null : row.ref,
    by: row.by,
    isLive: row.id === liveId,
    pages: row.pages,
    changes: { added, changed, removed },
    warnings: row.warningCount,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

export function toDeploymentDetails(row: DeploymentRow, liveId: string | null): DeploymentDetails {
  const { routes } = row.changes as Partial<StoredChanges>
  return {
    ...toDeployment(row, liveId),
    changedPages: routes ?? noRoutes,
    warningList: row.warnings as DeploymentDetails['warningList'],
  }
}
