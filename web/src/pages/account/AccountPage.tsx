import { useSession } from '../../api/session.ts'
import { PageHeader } from '../../ui/Card.tsx'
import { NameForm } from './NameForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'

export default function AccountPage() {
  const session = useSession()
  if (!session?.user) return null
  return (
    <>
      <PageHeader title="Your account" description={`${session.organization?.name}, as ${session.role}.`} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <NameForm user={session.user} />
        <PasswordForm email={session.user.email} />
      </div>
      <Sessions />
    </>
  )
}
