import type { Member } from '../../api/client.ts'
import { type Role, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Card.tsx'
import { inputClasses } from '../../ui/Field.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { rolesToGive, whyFixed } from './members.ts'

interface Actions {
  onChangeRole(member: Member, role: Role): void
  onRemove(member: Member): void
  onPasswordLink(member: Member): void
}

export function MembersTable({
  members,
  mayWrite,
  ...actions
}: { members: readonly Member[]; mayWrite: boolean } & Actions) {
  const session = useSession()
  const own = session?.role ?? null
  const columns: Column<Member>[] = [
    {
      name: 'member',
      header: 'Member',
      cell: ({ id, name, email }) => (
        <>
          <span className="flex items-center gap-2 font-medium whitespace-nowrap">
            {name} {id === session?.user?.id && <Badge tone="accent">you</Badge>}
          </span>
          <span className="text-xs text-muted">{email}</span>
        </>
      ),
    },
    {
      name: 'role',
      header: 'Role',
      cell: (member) => {
        const reason = mayWrite ? whyFixed(member, members, own) : null
        if (!mayWrite) return member.role
        return <RoleSelect member={member} own={own} reason={reason} onChange={actions.onChangeRole} />
      },
    },
    {
      name: 'seen',
      header: <span title="To within a minute">Last seen</span>,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <span className="text-muted">never</span> : <Time at={lastSeenAt} isRelative />,
    },
    { name: 'joined', header: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  const controls: Column<Member> = {
    name: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'py-1',
    cell: (member) => <Controls member={member} reason={whyFixed(member, members, own)} own={own} {...actions} />,
  }
  return (
    <Table
      caption="Members"
      columns={mayWrite ? [...columns, controls] : columns}
      rows={members}
      rowKey={({ id }) => id}
    />
  )
}

function RoleSelect({
  member,
  own,
  reason,
  onChange,
}: {
  member: Member
  own: Role | null
  reason: string | null
  onChange: Actions['onChangeRole']
}) {
  if (reason !== null) {
    return (
      <div className="min-w-44 max-w-60">
        <span>{member.role}</span>
        <p className="text-xs text-muted">{reason}</p>
      </div>
    )
  }
  return (
    <select
      aria-label={`Role of ${member.name}`}
      className={`${inputClasses} w-auto`}
      value={member.role}
      onChange={({ target }) => onChange(member, target.value as Role)}
    >
      {rolesToGive(own).map((role) => (
        <option key={role}>{role}</option>
      ))}
    </select>
  )
}

function Controls({
  member,
  own,
  reason,
  onRemove,
  onPasswordLink,
}: { member: Member; own: Role | null; reason: string | null } & Actions) {
  // A link for an owner would be a way to become one.
  const mayLink = member.role !== 'owner' || own === 'owner'
  return (
    <div className="flex justify-end gap-1">
      {mayLink && (
        <Button look="quiet" aria-label={`Password link for ${member.name}`} onClick={() => onPasswordLink(member)}>
          Password link
        </Button>
      )}
      <Button
        look="quiet"
        aria-label={`Remove ${member.name}`}
        disabled={reason !== null}
        title={reason ?? undefined}
        onClick={() => onRemove(member)}
      >
        Remove
      </Button>
    </div>
  )
}
