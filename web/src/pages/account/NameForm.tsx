import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../api/api.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

export function NameForm({ user }: { user: NonNullable<Session['user']> }) {
  const queries = useQueryClient()
  const say = useToast()
  const change = useMutation({
    mutationFn: (name: string) => api.changeAccount({ body: { name } }),
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery.queryKey, session)
      say('Your name is changed.')
    },
  })
  const nameError = fieldError(change.error, 'name')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <Card title="You">
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        <TextField
          label="Name"
          name="name"
          defaultValue={user.name}
          autoComplete="name"
          required
          maxLength={100}
          hint="Others see it on the Members page and in the audit records of what you do."
          error={nameError}
        />
        <TextField
          label="E-mail"
          value={user.email}
          readOnly
          disabled
          hint="You sign in with it. It cannot be changed."
        />
        {change.isError && nameError === undefined && <ErrorNote error={change.error} />}
        <div>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Save the name
          </Button>
        </div>
      </form>
    </Card>
  )
}
