import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { invitationsQuery, useRevokeInvitation } from './members.ts'

/** Links that nobody has taken yet. */
export function Invitations({ mayWrite }: { mayWrite: boolean }) {
  const invitations = useQuery(invitationsQuery)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const revoke: Column<Invitation> = {
    name: 'revoke',
    header: <span className="sr-only">Actions</span>,
    className: 'py-1 text-right',
    cell: (invitation) => (
      <Button
        look="quiet"
        aria-label={`Revoke the invitation for ${nameOf(invitation)}`}
        onClick={() => setRevoking(invitation)}
      >
        Revoke
      </Button>
    ),
  }
  const list = invitations.data?.invitations
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-semibold">Open invitations</h2>
      {invitations.isError && <ErrorNote error={invitations.error} onRetry={() => invitations.refetch()} />}
      {invitations.isPending && <SkeletonLines count={1} label="Loading invitations" />}
      {list?.length === 0 && <p className="text-sm text-muted">None. A link works once, for a week.</p>}
      {list && list.length > 0 && (
        <Table
          caption="Open invitations"
          columns={mayWrite ? [...columns, revoke] : columns}
          rows={list}
          rowKey={({ id }) => id}
        />
      )}
      {revoking && <RevokeDialog invitation={revoking} onClose={() => setRevoking(null)} />}
    </div>
  )
}

const nameOf = ({ email }: Invitation) => email ?? 'whoever has the link'

const columns: Column<Invitation>[] = [
  { name: 'for', header: 'For', cell: (invitation) => <span className="font-medium">{nameOf(invitation)}</span> },
  { name: 'role', header: 'As', cell: ({ role }) => role },
  { name: 'by', header: 'Invited by', cell: ({ invitedBy }) => invitedBy },
  { name: 'expires', header: 'Works until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
]

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose(): void }) {
  const revoke = useRevokeInvitation()
  const say = useToast()
  return (
    <ConfirmDialog
      title="Revoke the invitation?"
      confirmLabel="Revoke it"
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(invitation.id, {
          onSuccess: () => {
            say('The invitation is revoked.')
            onClose()
          },
        })
      }
    >
      The link for {nameOf(invitation)} stops working at once. You can make another.
    </ConfirmDialog>
  )
}
