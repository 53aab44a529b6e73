import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import type { Project, PushHook } from '../../api/client.ts'
import { projectQuery } from '../../api/projects.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SecretOnce } from './SecretOnce.tsx'

/** Lets the host tell Docent of pushes, instead of being asked every few minutes. */
export function PushHookCard({ project }: { project: Project }) {
  const mayWrite = useMayWrite()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [hook, setHook] = useState<PushHook | null>(null)
  const rotate = useMutation({
    mutationFn: () => api.rotatePushHook({ path: { projectId: project.id } }),
    onSuccess: (made) => {
      setAsking(false)
      setHook(made)
      return queries.invalidateQueries({ queryKey: projectQuery(project.id).queryKey })
    },
  })
  return (
    <Card
      title="Push hook"
      description="Lets the host tell of each push, so that it is published at once. Without it, Docent looks at the branch every few minutes."
    >
      <p>
        {project.hasPushHook ? <Badge tone="good">A secret was made</Badge> : <Badge>No secret was made yet</Badge>}
      </p>
      {rotate.isError && !isAsking && <ErrorNote error={rotate.error} />}
      {mayWrite && (
        <div>
          <Button isBusy={rotate.isPending} onClick={() => (project.hasPushHook ? setAsking(true) : rotate.mutate())}>
            {project.hasPushHook ? 'Make a new secret' : 'Make the secret'}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Make a new secret?"
          confirmLabel="Make a new secret"
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>The one before stops at once: pushes are not told until you enter the new one at the host.</p>
        </ConfirmDialog>
      )}
      {hook && (
        <Dialog title="Push hook" onClose={() => setHook(null)}>
          <SecretOnce secret={hook.secret}>
            <p>{whereToPaste[project.source.provider === 'gitlab' ? 'gitlab' : 'github']}</p>
            <CodeLine
              code={hook.urls[project.source.provider === 'gitlab' ? 'gitlab' : 'github']}
              label="Copy the address"
            />
          </SecretOnce>
        </Dialog>
      )}
    </Card>
  )
}

const whereToPaste = {
  github:
    'At the repository, under Settings, Webhooks, Add webhook: this address as the payload URL, application/json as the content type, the secret, and only the push event.',
  gitlab:
    'At the project, under Settings, Webhooks, Add new webhook: this address as the URL, the secret as the secret token, and push events as the trigger.',
}
