import { ChevronDown, ChevronRight, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import type { Deployment } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Card.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeploymentDetails } from './DeploymentDetails.tsx'
import { changeWords, countWords, reasonWords, shortCommit, stateWords } from './deployment-words.ts'
import { RestoreDialog } from './RestoreDialog.tsx'

export function DeploymentItem({ deployment }: { deployment: Deployment }) {
  const [isOpen, setOpen] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const mayWrite = useMayWrite()
  const id = useId()
  const { word, tone, about } = stateWords(deployment)
  const { state, isLive, commit, ref, createdAt, changes, pages, warnings, error } = deployment
  const name = shortCommit(commit)
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <span title={about} className="w-20">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <div className="min-w-0 flex-1 basis-60">
          <p className="truncate">
            <code title={commit ?? undefined}>{name}</code>
            {ref && <span className="text-muted"> of {ref}</span>}
          </p>
          <p className="text-muted">
            {reasonWords(deployment)}, <Time at={createdAt} isRelative />
          </p>
        </div>
        {state === 'ready' && (
          <div className="basis-44 text-muted">
            <p>{countWords(pages, 'page')}</p>
            <p>{changeWords(changes)}</p>
          </div>
        )}
        {warnings > 0 && <Badge tone="warn">{countWords(warnings, 'warning')}</Badge>}
        <div className="ml-auto flex justify-end gap-1 sm:w-52">
          {state === 'ready' && !isLive && mayWrite && (
            <Button
              icon={<RotateCcw aria-hidden className="size-4" />}
              onClick={() => setAsking(true)}
              aria-label={`Restore ${name}`}
            >
              Restore
            </Button>
          )}
          <Button
            look="quiet"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`Details of ${name}`}
            icon={
              isOpen ? <ChevronDown aria-hidden className="size-4" /> : <ChevronRight aria-hidden className="size-4" />
            }
            onClick={() => setOpen(!isOpen)}
          >
            Details
          </Button>
        </div>
      </div>
      {error && <Failure message={error.message} />}
      <div id={id} hidden={!isOpen}>
        {isOpen && <DeploymentDetails deploymentId={deployment.id} />}
      </div>
      {isAsking && <RestoreDialog deployment={deployment} onClose={() => setAsking(false)} />}
    </li>
  )
}

function Failure({ message }: { message: string }) {
  const projectId = useProjectId()
  return (
    <div className="rounded-lg border border-danger/40 bg-danger-soft px-4 py-3 text-sm">
      <p className="break-words">{message}</p>
      <p className="text-muted">
        Readers keep what they had. Put it right in{' '}
        <Link href={`/p/${projectId}/settings`} className="underline">
          the source’s settings
        </Link>{' '}
        or in the repository, and publish again.
      </p>
    </div>
  )
}
