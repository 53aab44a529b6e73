import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { CreatedKey, Key } from '../../api/client.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, PageHeader, SkeletonLines } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { Pager } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { CreatedKeyDialog } from './CreatedKeyDialog.tsx'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { KeysTable } from './KeysTable.tsx'
import { keysPerPage, keysQuery, useRevokeKey } from './keys.ts'
import { ProjectIds } from './ProjectIds.tsx'

export default function KeysPage() {
  const mayWrite = useMayWrite()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  return (
    <>
      <PageHeader
        title="API keys"
        description="Programs call the API with an admin key: on servers and in CI, never in a browser."
        actions={
          mayWrite && (
            <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
              Create a key
            </Button>
          )
        }
      />
      {!mayWrite && <p className="text-sm text-muted">{readOnlyReason}</p>}
      <ProjectIds />
      <Keys mayWrite={mayWrite} />
      {isCreating && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
        />
      )}
      {created && <CreatedKeyDialog created={created} onClose={() => setCreated(null)} />}
    </>
  )
}

function Keys({ mayWrite }: { mayWrite: boolean }) {
  const [includeRevoked, setIncludeRevoked] = useState(false)
  const [offset, setOffset] = useState(0)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const keys = useQuery(keysQuery({ includeRevoked, offset }))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">Keys</h2>
        <Checkbox
          label="Show revoked keys"
          checked={includeRevoked}
          onChange={({ target }) => {
            setIncludeRevoked(target.checked)
            setOffset(0)
          }}
        />
      </div>
      {keys.isError && <ErrorNote error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.isPending && <SkeletonLines count={4} label="Loading keys" />}
      {keys.data?.keys.length === 0 && offset === 0 && (
        <EmptyState title="No keys yet" icon={<KeyRound aria-hidden className="size-6" />}>
          <p>Create one above, or on the server:</p>
          <CodeLine code="npx docent key create --name ci" />
        </EmptyState>
      )}
      {keys.data && keys.data.keys.length > 0 && (
        <KeysTable keys={keys.data.keys} mayRevoke={mayWrite} onRevoke={setRevoking} />
      )}
      {keys.data && (
        <Pager
          offset={offset}
          limit={keysPerPage}
          count={keys.data.keys.length}
          hasMore={keys.data.hasMore}
          onMove={setOffset}
        />
      )}
      {revoking && <RevokeKeyDialog revoked={revoking} onClose={() => setRevoking(null)} />}
    </div>
  )
}

function RevokeKeyDialog({ revoked, onClose }: { revoked: Key; onClose(): void }) {
  const revoke = useRevokeKey()
  const say = useToast()
  const confirm = () =>
    revoke.mutate(revoked.id, {
      onSuccess: () => {
        say(`${revoked.name} is revoked.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={`Revoke ${revoked.name}?`}
      confirmLabel="Revoke the key"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      Whatever uses <code className="font-mono text-xs">docent_…{revoked.hint}</code> is refused within a second. This
      cannot be undone; a new key takes its place.
    </ConfirmDialog>
  )
}
