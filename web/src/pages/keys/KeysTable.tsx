import type { Key } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Card.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

export function KeysTable({
  keys,
  mayRevoke,
  onRevoke,
}: {
  keys: readonly Key[]
  mayRevoke: boolean
  onRevoke(key: Key): void
}) {
  const revoke: Column<Key> = {
    name: 'revoke',
    header: <span className="sr-only">Actions</span>,
    className: 'py-1 text-right',
    cell: (key) =>
      key.revokedAt === null && (
        <Button look="quiet" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
  }
  return (
    <Table
      caption="API keys"
      columns={mayRevoke ? [...columns, revoke] : columns}
      rows={keys}
      rowKey={({ id }) => id}
    />
  )
}

const columns: Column<Key>[] = [
  {
    name: 'name',
    header: 'Name',
    className: 'min-w-40',
    cell: ({ name, hint }) => (
      <>
        <span className="block font-medium break-words">{name}</span>
        <code className="font-mono text-xs whitespace-nowrap text-muted" title="The last four characters of the key">
          docent_…{hint}
        </code>
      </>
    ),
  },
  {
    name: 'scopes',
    header: 'May',
    className: 'whitespace-nowrap',
    cell: ({ scopes }) => (scopes.includes('write') ? 'read and write' : 'read'),
  },
  { name: 'expires', header: 'Works until', cell: (key) => <Validity {...key} /> },
  { name: 'addresses', header: 'Works from', cell: ({ allowedAddresses }) => <Addresses list={allowedAddresses} /> },
  {
    name: 'used',
    header: <span title="To within a minute">Last used</span>,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-muted">never</span> : <Time at={lastUsedAt} isRelative />,
  },
]

function Validity({ revokedAt, expiresAt }: Key) {
  if (revokedAt !== null) {
    return (
      <span className="flex flex-wrap items-center gap-1.5">
        <Badge tone="danger">revoked</Badge> <Time at={revokedAt} isRelative />
      </span>
    )
  }
  if (expiresAt === null) return <span className="text-muted">no end</span>
  if (Date.parse(expiresAt) > Date.now()) return <Time at={expiresAt} />
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge tone="warn">expired</Badge> <Time at={expiresAt} isRelative />
    </span>
  )
}

function Addresses({ list }: { list: string[] }) {
  if (list.length === 0) return <span className="text-muted">anywhere</span>
  return (
    <ul className="font-mono text-xs">
      {list.slice(0, 3).map((address) => (
        <li key={address}>{address}</li>
      ))}
      {list.length > 3 && <li title={list.slice(3).join('\n')}>and {list.length - 3} more</li>}
    </ul>
  )
}
