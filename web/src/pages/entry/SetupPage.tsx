import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect } from 'wouter'
import { api } from '../../api/api.ts'
import { useEnter, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { EntryPage, linkToken } from './EntryPage.tsx'
import { type Person, PersonFields, personIn } from './PersonFields.tsx'

/** Makes the owner, once, for whoever has the link that the server printed. */
export function SetupPage() {
  const [token] = useState(linkToken)
  const session = useSession()
  const enter = useEnter()
  const setUp = useMutation({
    mutationFn: (person: Person) => api.setUp({ body: { token, ...person } }),
    onSuccess: (answer) => enter(answer, '/'),
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
    setUp.mutate(personIn(event.currentTarget))
  }
  return (
    <EntryPage title="Set up Docent" description="You become the owner. Others come by invitation.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <PersonFields error={setUp.error} />
        {setUp.isError && <ErrorNote error={setUp.error} />}
        <Button type="submit" look="primary" isBusy={setUp.isPending}>
          Create the owner
        </Button>
      </form>
    </EntryPage>
  )
}
