import { api } from '../../api/api.ts'
import type { Deployment } from '../../api/client.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { shortCommit } from './deployment-words.ts'
import { useSiteChange } from './site-queries.ts'

export function RestoreDialog({ deployment, onClose }: { deployment: Deployment; onClose(): void }) {
  const { id: deploymentId, commit, createdAt } = deployment
  const say = useToast()
  const restore = useSiteChange((_: undefined, projectId) =>
    api.restoreDeployment({ path: { projectId, deploymentId } }),
  )
  const start = () =>
    restore.mutate(undefined, {
      onSuccess: () => {
        say('On its way back.')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Restore ${shortCommit(commit)}?`}
      confirmLabel="Restore it"
      isBusy={restore.isPending}
      error={restore.error}
      onConfirm={start}
      onClose={onClose}
    >
      <p>
        Readers get what was published <Time at={createdAt} /> again. It stays until the project’s branch moves: the
        next push is published as usual. The repository itself is not changed.
      </p>
    </ConfirmDialog>
  )
}
