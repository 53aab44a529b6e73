import { useState } from 'react'
import type { Member } from '../../api/client.ts'
import { type Role, useMayWrite, useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { MembersTable } from './MembersTable.tsx'
import { roleRules, useChangeRole, useCreatePasswordLink, useRemoveMember } from './members.ts'
import type { OneTimeLink } from './OneTimeLinkDialog.tsx'

/** The members, and what can be done to them. What gives power or takes one's own away is asked first. */
export function ManagedMembers({ members, onLink }: { members: readonly Member[]; onLink(link: OneTimeLink): void }) {
  const mayWrite = useMayWrite()
  const ownId = useSession().user?.id
  const say = useToast()
  const changeRole = useChangeRole()
  const createLink = useCreatePasswordLink()
  const [removing, setRemoving] = useState<Member | null>(null)
  const [asked, setAsked] = useState<{ member: Member; role: Role } | null>(null)
  const change = (member: Member, role: Role) =>
    changeRole.mutate(
      { id: member.id, role },
      {
        onSuccess: () => {
          setAsked(null)
          say(`${member.name} is ${role} now.`)
        },
      },
    )
  return (
    <>
      {changeRole.isError && !asked && <ErrorNote error={changeRole.error} />}
      {createLink.isError && <ErrorNote error={createLink.error} />}
      <MembersTable
        members={members}
        mayWrite={mayWrite}
        onRemove={setRemoving}
        onChangeRole={(member, role) =>
          role === 'owner' || member.id === ownId ? setAsked({ member, role }) : change(member, role)
        }
        onPasswordLink={(member) =>
          createLink.mutate(member.id, {
            onSuccess: ({ url, expiresAt }) =>
              onLink({
                title: `Password link for ${member.name}`,
                words: `With this link ${member.name} (${member.email}) chooses a new password. It ends their other sessions.`,
                url,
                expiresAt,
              }),
          })
        }
      />
      {asked && (
        <ConfirmDialog
          title={`Make ${asked.member.id === ownId ? 'yourself' : asked.member.name} ${asked.role}?`}
          confirmLabel={`Make ${asked.role}`}
          isBusy={changeRole.isPending}
          error={changeRole.error}
          onConfirm={() => change(asked.member, asked.role)}
          onClose={() => setAsked(null)}
        >
          {asked.role}: {roleRules[asked.role]}
          {asked.member.id === ownId && ' You cannot give the role back to yourself.'}
        </ConfirmDialog>
      )}
      {removing && <RemoveDialog member={removing} isSelf={removing.id === ownId} onClose={() => setRemoving(null)} />}
    </>
  )
}

function RemoveDialog({ member, isSelf, onClose }: { member: Member; isSelf: boolean; onClose(): void }) {
  const remove = useRemoveMember()
  const say = useToast()
  return (
    <ConfirmDialog
      title={`Remove ${isSelf ? 'yourself' : member.name}?`}
      confirmLabel="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(member.id, {
          onSuccess: () => {
            say(`${member.name} is no longer a member.`)
            onClose()
          },
        })
      }
    >
      {isSelf ? 'You are' : `${member.name} is`} signed out within a second and cannot come back without an invitation.
      Keys that they made stay: revoke them on the API keys page.
    </ConfirmDialog>
  )
}
