import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import { useEnter } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { EntryPage, linkToken } from './EntryPage.tsx'

/** A new password for whoever has the link that an owner, an admin or the operator made. */
export function PasswordPage() {
  const [token] = useState(linkToken)
  const enter = useEnter()
  const change = useMutation({
    mutationFn: (password: string) => api.choosePassword({ body: { token, password } }),
    onSuccess: (answer) => enter(answer, '/'),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate(String(new FormData(event.currentTarget).get('password')))
  }
  return (
    <EntryPage title="Choose a new password" description="This ends your other sessions.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <NewPasswordField label="New password" error={fieldError(change.error, 'password')} />
        {change.isError && <ErrorNote error={change.error} />}
        <Button type="submit" look="primary" isBusy={change.isPending}>
          Set the password and sign in
        </Button>
      </form>
    </EntryPage>
  )
}
