import { useState } from 'react'
import type { Project } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useProjectChange } from './project-change.ts'
import { SettingsForm } from './SettingsForm.tsx'

/** The access token goes in and never comes out again. */
export function TokenCard({ project: { source } }: { project: Project }) {
  const change = useProjectChange('The token is stored.')
  const [entered, setEntered] = useState('')
  const [isAsking, setAsking] = useState(false)
  return (
    <SettingsForm
      title="Access token"
      description="What Docent signs in with at the host. It is stored encrypted, and never shown again, not even here."
      change={change}
      saveLabel={source.hasToken ? 'Replace the token' : 'Store the token'}
      onSave={() => change.mutate({ source: { token: entered } }, { onSuccess: () => setEntered('') })}
      actions={source.hasToken && <Button onClick={() => setAsking(true)}>Remove the token</Button>}
    >
      <p>
        {source.hasToken ? <Badge tone="good">A token is stored</Badge> : <Badge tone="warn">No token is stored</Badge>}
      </p>
      <TextField
        label={source.hasToken ? 'New token' : 'Token'}
        type="password"
        autoComplete="off"
        required
        maxLength={4096}
        value={entered}
        onChange={({ target }) => setEntered(target.value)}
        hint="It has to read and write contents and pull requests of the repository. Without one, only public repositories can be read, unless a GitHub App signs in for all projects."
        error={fieldError(change.error, 'source.token')}
      />
      {isAsking && <RemoveTokenDialog onClose={() => setAsking(false)} />}
    </SettingsForm>
  )
}

function RemoveTokenDialog({ onClose }: { onClose(): void }) {
  const change = useProjectChange('The token is gone.')
  return (
    <ConfirmDialog
      title="Remove the token?"
      confirmLabel="Remove the token"
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ source: { token: null } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Docent can then no longer push to the repository or open pull requests there. The token itself stays valid at
        the host until you revoke it there.
      </p>
    </ConfirmDialog>
  )
}
