import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { ApiError, api } from '../../api/api.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { NewPasswordField } from '../../ui/NewPasswordField.tsx'
import { useToast } from '../../ui/Toast.tsx'

export function PasswordForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const queries = useQueryClient()
  const say = useToast()
  const change = useMutation({
    mutationFn: (password: { current: string; next: string }) => api.changeAccount({ body: { password } }),
    onSuccess: async () => {
      form.current?.reset()
      say('Your password is changed; your other sessions have ended.')
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const currentError = wrongPassword(change.error) ?? fieldError(change.error, 'password.current')
  const nextError = fieldError(change.error, 'password.next')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    change.mutate({ current: String(fields.get('current')), next: String(fields.get('next')) })
  }
  return (
    <Card title="Password" description="A new password ends your other sessions.">
      <form ref={form} onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {/* For password managers, which keep a password by its name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={currentError}
        />
        <NewPasswordField label="New password" name="next" error={nextError} />
        {change.isError && !currentError && !nextError && <ErrorNote error={change.error} />}
        <div>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
  )
}

function wrongPassword(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'auth.wrong_password' ? error.message : undefined
}
