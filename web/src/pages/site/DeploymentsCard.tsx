import { useState } from 'react'
import { Card, EmptyState, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Pager } from '../../ui/Table.tsx'
import { DeploymentItem } from './DeploymentItem.tsx'
import { deploymentsShown, useDeployments } from './site-queries.ts'

/** Everything that was published or should have been, newest first. */
export function DeploymentsCard() {
  const [offset, setOffset] = useState(0)
  const { data, isPending, isError, error, refetch } = useDeployments(offset)
  return (
    <Card
      title="Deployments"
      description="Everything that was published, newest first. Changes are pages that differ from what was live before."
    >
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {isPending && <SkeletonLines count={4} label="Loading deployments" />}
      {data?.deployments.length === 0 && offset === 0 && (
        <EmptyState title="No deployments yet">
          <p>A push to the project’s branch makes one; so does “Publish now”.</p>
        </EmptyState>
      )}
      {data && data.deployments.length > 0 && (
        <ul aria-label="Deployments" className="flex flex-col divide-y">
          {data.deployments.map((deployment) => (
            <DeploymentItem key={deployment.id} deployment={deployment} />
          ))}
        </ul>
      )}
      {data && (
        <Pager
          offset={offset}
          limit={deploymentsShown}
          count={data.deployments.length}
          hasMore={data.hasMore}
          onMove={setOffset}
        />
      )}
    </Card>
  )
}
