import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { useEnter, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { EntryPage, linkToken, passwordHint } from './EntryPage.tsx'

/** Makes the owner, once, for whoever has the link that the server printed. */
export function SetupPage() {
  const [token] = useState(linkToken)
  const [, navigate] = useLocation()
  const session = useSession()
  const enter = useEnter()
  const setUp = useMutation({
    mutationFn: (body: { token: string; name: string; email: string; password: string }) => api.setUp({ body }),
    onSuccess: (answer) => {
      enter(answer)
      navigate('/', { replace: true })
    },
  })
  if (!session.setupNeeded && !setUp.isSuccess) return <Redirect to="/sign-in" replace />
  if (token === '') {
    return (
      <EntryPage
        title="Open the setup link"
        description="The server printed it when it started. This makes a new one, on the server:"
      >
        <CodeLine code="npx docent setup-link" />
      </EntryPage>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name))
    setUp.mutate({ token, name: field('name'), email: field('email'), password: field('password') })
  }
  return (
    <EntryPage title="Set up Docent" description="You become the owner. Others come by invitation.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          error={fieldError(setUp.error, 'name')}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          error={fieldError(setUp.error, 'email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={passwordHint}
          error={fieldError(setUp.error, 'password')}
        />
        {setUp.isError && <ErrorNote error={setUp.error} />}
        <Button type="submit" look="primary" isBusy={setUp.isPending}>
          Create the owner
        </Button>
      </form>
    </EntryPage>
  )
}
