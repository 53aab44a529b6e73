import type { DeploymentDetails as Details } from '../../api/client.ts'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Time } from '../../ui/Time.tsx'
import { useDeploymentDetails } from './site-queries.ts'

/** What a deployment changed, and what its readers do not see as its author meant it. */
export function DeploymentDetails({ deploymentId }: { deploymentId: string }) {
  const { data, isPending, isError, error, refetch } = useDeploymentDetails(deploymentId)
  if (isPending) return <SkeletonLines count={2} label="Loading the deployment" />
  if (isError) return <ErrorNote error={error} onRetry={() => refetch()} />
  return (
    <div className="flex flex-col gap-4 rounded-lg bg-sunken p-4 text-sm">
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        <code>{data.id}</code>
        {data.commit && <code className="break-all">{data.commit}</code>}
        {data.finishedAt && (
          <span>
            Finished <Time at={data.finishedAt} />
          </span>
        )}
      </p>
      <ChangedPages details={data} />
      <Warnings details={data} />
    </div>
  )
}

const kinds = [
  { kind: 'added', title: 'Pages added' },
  { kind: 'changed', title: 'Pages changed' },
  { kind: 'removed', title: 'Pages removed' },
] as const

function ChangedPages({ details: { changedPages, changes } }: { details: Details }) {
  const shown = kinds.filter(({ kind }) => changes[kind] > 0)
  if (shown.length === 0) return <p>No page differs from what was live before.</p>
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {shown.map(({ kind, title }) => (
        <details key={kind} open={changedPages[kind].length <= 10}>
          <summary className="font-medium">
            {title}: {changes[kind]}
          </summary>
          <ul className="mt-1 max-h-64 overflow-y-auto">
            {changedPages[kind].map((route) => (
              <li key={route} className="break-all">
                <code>{route}</code>
              </li>
            ))}
          </ul>
          {changes[kind] > changedPages[kind].length && (
            <p className="text-muted">The first {changedPages[kind].length} are shown.</p>
          )}
        </details>
      ))}
    </div>
  )
}

function Warnings({ details: { warnings, warningList } }: { details: Details }) {
  if (warnings === 0) return null
  return (
    <details>
      <summary className="font-medium">Warnings: {warnings}</summary>
      <p className="text-muted">What readers do not see as its author meant it. Everything else is published.</p>
      <ul className="mt-2 flex max-h-96 flex-col gap-2 overflow-y-auto">
        {warningList.map(({ path, line, message }) => (
          <li key={`${path}:${line}:${message}`}>
            <code className="break-all">{line === null ? path : `${path}:${line}`}</code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      {warnings > warningList.length && <p className="text-muted">The first {warningList.length} are shown.</p>}
    </details>
  )
}
