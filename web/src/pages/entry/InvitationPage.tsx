import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { useEnter, useSession } from '../../api/session.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { EntryPage, linkToken, passwordHint } from './EntryPage.tsx'

/** Lets in whoever has the link of an invitation. */
export function InvitationPage() {
  const [token] = useState(linkToken)
  const [, navigate] = useLocation()
  const session = useSession()
  const enter = useEnter()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.lookUpInvitation({ body: { token } }),
    enabled: token !== '',
    retry: false,
  })
  const accept = useMutation({
    mutationFn: (body: { name: string; email: string; password: string }) =>
      api.acceptInvitation({ body: { token, ...body } }),
    onSuccess: (answer) => {
      enter(answer)
      navigate('/', { replace: true })
    },
  })
  if (token === '' || invitation.isError) {
    return (
      <EntryPage
        title="This invitation does not work"
        description="Ask whoever sent it for a new one: a link works once, for a week."
      >
        {invitation.isError && <ErrorNote error={invitation.error} />}
      </EntryPage>
    )
  }
  if (!invitation.data) return <EntryPage title="Invitation">{<SkeletonLines count={3} />}</EntryPage>
  const { organization, role, email, invitedBy } = invitation.data
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name))
    accept.mutate({ name: field('name'), email: email ?? field('email'), password: field('password') })
  }
  return (
    <EntryPage title={`Join ${organization}`} description={`${invitedBy} invites you as ${role}.`}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          error={fieldError(accept.error, 'name')}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email ?? ''}
          readOnly={email !== null}
          hint={email === null ? undefined : 'The invitation is for this address.'}
          error={fieldError(accept.error, 'email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={passwordHint}
          error={fieldError(accept.error, 'password')}
        />
        {accept.isError && <ErrorNote error={accept.error} />}
        <Button type="submit" look="primary" isBusy={accept.isPending}>
          Join
        </Button>
      </form>
      {session.oidc && (
        <a href="/v1/session/oidc" className={buttonClasses('plain')}>
          Join with {session.oidc.name}
        </a>
      )}
    </EntryPage>
  )
}
