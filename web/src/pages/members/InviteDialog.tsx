import type { FormEvent } from 'react'
import { type Role, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { rolesToGive, useInvite } from './members.ts'
import type { OneTimeLink } from './OneTimeLinkDialog.tsx'

export function InviteDialog({ onInvited, onClose }: { onInvited(link: OneTimeLink): void; onClose(): void }) {
  const session = useSession()
  const invite = useInvite()
  const emailError = fieldError(invite.error, 'email')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email')).trim() || null
    const role = String(form.get('role')) as Role
    invite.mutate(
      { email, role },
      {
        onSuccess: ({ url, expiresAt }) =>
          onInvited({
            title: 'Invitation',
            words: `Give this link to ${email ?? 'whom you invite'}. It lets them join as ${role}.`,
            url,
            expiresAt,
          }),
      },
    )
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField
          label="Role"
          name="role"
          options={rolesToGive(session?.role ?? null).map((role) => ({ value: role, label: role }))}
        />
        <TextField
          label="E-mail (optional)"
          name="email"
          type="email"
          autoComplete="off"
          hint="Then only this address can take the invitation. Nothing is sent to it: you get a link to pass on."
          error={emailError}
        />
        {invite.isError && emailError === undefined && <ErrorNote error={invite.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
