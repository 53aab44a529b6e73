import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { api } from '../../api/api.ts'
import { useEnter, useSession } from '../../api/session.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { EntryPage } from './EntryPage.tsx'

/** By the code that the server sends people back with. Never the parameter itself: anybody can write an address. */
const refusals: Record<string, string> = {
  'oidc.no_member': 'Nobody here has that e-mail address. Ask an owner or admin to invite it.',
  'oidc.email_not_verified': 'The provider has not verified your e-mail address. Verify it there, then try again.',
  'oidc.no_email': 'The provider did not say your e-mail address. The operator must allow it the scope email.',
  'oidc.denied': 'The provider did not let you in, or you turned back.',
  'oidc.expired': 'That took too long, or was begun in another browser. Try again.',
  'oidc.unreachable': 'The provider cannot be reached from the server. Try again, or sign in with your password.',
  'oidc.misconfigured': 'The provider refused this server. The operator should look at its log and its OIDC settings.',
  'oidc.not_configured': 'This server has no provider to sign in with. Use your password.',
  'oidc.failed': 'Signing in at the provider did not work. Try again; the server’s log says why.',
  'auth.too_many_attempts': 'Too many attempts. Wait a minute, then try again.',
}

export function SignInPage() {
  const session = useSession()
  const enter = useEnter()
  const [search] = useSearchParams()
  // Only a path of this app: the parameter may come from anybody.
  const wanted = search.get('to') ?? '/'
  const target = /^\/(?![/\\])/.test(wanted) ? wanted : '/'
  const refusal = search.get('error')
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => api.signIn({ body }),
    onSuccess: (answer) => enter(answer, target),
  })
  if (session.user) return <Redirect to={target} replace />
  if (session.setupNeeded) return <Redirect to="/setup" replace />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
  }
  return (
    <EntryPage title="Sign in">
      {refusal && !signIn.isError && <ErrorNote error={refusals[refusal] ?? refusals['oidc.failed']} />}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        {signIn.isError && <ErrorNote error={signIn.error} />}
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      {session.oidc && (
        <a href="/v1/session/oidc" className={buttonClasses('plain')}>
          Sign in with {session.oidc.name}
        </a>
      )}
      <details className="text-sm text-muted">
        <summary>Forgot your password?</summary>
        <div className="mt-2 flex flex-col gap-2">
          <p>An owner or admin makes you a link on the Members page. On the server, the operator can too:</p>
          <CodeLine code="npx docent member password-link you@example.com" />
        </div>
      </details>
    </EntryPage>
  )
}
