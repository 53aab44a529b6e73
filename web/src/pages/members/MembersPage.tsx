import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useMayWrite, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { PageHeader, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { ManagedMembers } from './ManagedMembers.tsx'
import { membersQuery, roleRules } from './members.ts'
import { type OneTimeLink, OneTimeLinkDialog } from './OneTimeLinkDialog.tsx'

export default function MembersPage() {
  const mayWrite = useMayWrite()
  const organization = useSession().organization?.name
  const members = useQuery(membersQuery)
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<OneTimeLink | null>(null)
  return (
    <>
      <PageHeader
        title="Members"
        description={organization && `Who can sign in to ${organization}.`}
        actions={
          mayWrite && (
            <Button look="primary" icon={<UserPlus aria-hidden className="size-4" />} onClick={() => setInviting(true)}>
              Invite somebody
            </Button>
          )
        }
      />
      {members.isError && <ErrorNote error={members.error} onRetry={() => members.refetch()} />}
      {members.isPending && <SkeletonLines count={3} label="Loading members" />}
      {members.data && <ManagedMembers members={members.data.members} onLink={setLink} />}
      <Invitations mayWrite={mayWrite} />
      <div className="flex flex-col gap-3">
        <h2 className="font-semibold">What each role may do</h2>
        <dl className="grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[auto_1fr]">
          {Object.entries(roleRules).map(([role, rule]) => (
            <div key={role} className="contents">
              <dt className="font-medium">{role}</dt>
              <dd className="text-muted">{rule}</dd>
            </div>
          ))}
        </dl>
      </div>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(invitation) => {
            setInviting(false)
            setLink(invitation)
          }}
        />
      )}
      {link && <OneTimeLinkDialog link={link} onClose={() => setLink(null)} />}
    </>
  )
}
