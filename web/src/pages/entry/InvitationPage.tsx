import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import { useEnter, useSession } from '../../api/session.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { EntryPage, linkToken } from './EntryPage.tsx'
import { type Person, PersonFields, personIn } from './PersonFields.tsx'

/** Lets in whoever has the link of an invitation. */
export function InvitationPage() {
  const [token] = useState(linkToken)
  const session = useSession()
  const enter = useEnter()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.lookUpInvitation({ body: { token } }),
    enabled: token !== '',
    retry: false,
  })
  const accept = useMutation({
    mutationFn: (person: Person) => api.acceptInvitation({ body: { token, ...person } }),
    onSuccess: (answer) => enter(answer, '/'),
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
    accept.mutate(personIn(event.currentTarget))
  }
  return (
    <EntryPage title={`Join ${organization}`} description={`${invitedBy} invites you as ${role}.`}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <PersonFields error={accept.error} email={email} />
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
