import { Archive } from 'lucide-react'
import { useState } from 'react'
import type { AgentJob } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { useArchive } from './job-queries.ts'

export function ArchiveButton({ job, projectId }: { job: AgentJob; projectId: string }) {
  const [isAsking, setAsking] = useState(false)
  const archive = useArchive({ projectId, id: job.id })
  const say = useToast()
  const isActive = job.status === 'active'
  if (job.status === 'archived') return null
  return (
    <>
      <Button icon={<Archive aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        {isActive ? 'Stop and archive' : 'Archive'}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={isActive ? 'Stop this job?' : 'Archive this job?'}
          confirmLabel={isActive ? 'Stop and archive' : 'Archive'}
          isBusy={archive.isPending}
          error={archive.error}
          onConfirm={() =>
            archive.mutate(undefined, {
              onSuccess: () => {
                setAsking(false)
                say('The job is archived.')
              },
            })
          }
          onClose={() => setAsking(false)}
        >
          {isActive && <p>The agent is at work. It stops at once, and what it has not published is lost.</p>}
          <p>
            An archived job takes no more follow-ups, and that cannot be undone. It stays in the list, and its pull
            request stays as it is.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
