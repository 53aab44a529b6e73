import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, SkeletonLines } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { deviceOf } from './device.ts'
import { sessionsQuery, useEndSessions } from './sessions.ts'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<Session[] | null>(null)
  const others = sessions.data?.sessions.filter(({ current }) => !current) ?? []
  const columns: Column<Session>[] = [
    {
      name: 'device',
      header: 'Browser',
      cell: ({ userAgent, current }) => (
        <span className="flex items-center gap-2 font-medium" title={userAgent ?? undefined}>
          {deviceOf(userAgent)} {current && <Badge tone="accent">this one</Badge>}
        </span>
      ),
    },
    {
      name: 'used',
      header: <span title="To within a minute">Last used</span>,
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} isRelative />,
    },
    { name: 'since', header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'end',
      header: <span className="sr-only">Actions</span>,
      className: 'py-1 text-right',
      cell: (session) =>
        !session.current && (
          <Button
            look="quiet"
            aria-label={`End the session of ${deviceOf(session.userAgent)}`}
            onClick={() => setEnding([session])}
          >
            End
          </Button>
        ),
    },
  ]
  return (
    <Card
      title="Sessions"
      description="Where you are signed in, as the browsers call themselves."
      actions={others.length > 0 && <Button onClick={() => setEnding(others)}>End all others ({others.length})</Button>}
    >
      {sessions.isError && <ErrorNote error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <SkeletonLines count={2} label="Loading sessions" />}
      {sessions.data && (
        <Table caption="Your sessions" columns={columns} rows={sessions.data.sessions} rowKey={({ id }) => id} />
      )}
      {ending && <EndDialog sessions={ending} onClose={() => setEnding(null)} />}
    </Card>
  )
}

function EndDialog({ sessions, onClose }: { sessions: Session[]; onClose(): void }) {
  const end = useEndSessions()
  const say = useToast()
  const [first] = sessions
  const isOne = sessions.length === 1
  return (
    <ConfirmDialog
      title={isOne ? 'End this session?' : `End ${sessions.length} sessions?`}
      confirmLabel={isOne ? 'End it' : 'End them'}
      isBusy={end.isPending}
      error={end.error}
      onClose={onClose}
      onConfirm={() =>
        end.mutate(
          sessions.map(({ id }) => id),
          {
            onSuccess: () => {
              say(isOne ? 'The session has ended.' : 'The other sessions have ended.')
              onClose()
            },
          },
        )
      }
    >
      {isOne ? deviceOf(first?.userAgent ?? null) : 'Every browser but this one'} has to sign in again.
    </ConfirmDialog>
  )
}
