import { Plus, Webhook as WebhookPicture } from 'lucide-react'
import { useState } from 'react'
import { useProjectId } from '../../api/projects.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, SkeletonLines } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SettingsHeader } from './SettingsHeader.tsx'
import { WebhookCard } from './WebhookCard.tsx'
import { NewWebhookDialog } from './WebhookDialogs.tsx'
import { useWebhooks } from './webhook-queries.ts'

/** Who is told when something happens, and whether they heard it. */
export default function WebhooksPage() {
  const { data, isPending, isError, error, refetch } = useWebhooks()
  const projectId = useProjectId()
  const mayWrite = useMayWrite()
  const [isAdding, setAdding] = useState(false)
  const add = mayWrite && (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
      Add a webhook
    </Button>
  )
  return (
    <>
      <SettingsHeader />
      {isPending && <SkeletonLines count={4} label="Loading webhooks" />}
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data?.webhooks.length === 0 && (
        <EmptyState title="No webhook yet" icon={<WebhookPicture aria-hidden className="size-6" />}>
          <p>
            A webhook tells a server of yours when a job is done or a site was published, signed by the Standard
            Webhooks scheme. Add one here, or from a shell:
          </p>
          <CodeLine code={`npx docent webhook create --project ${projectId} --to https://ci.example.com/docent`} />
          <div>{add}</div>
        </EmptyState>
      )}
      {data && data.webhooks.length > 0 && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted">
              Each event is sent again for hours while your side does not answer with 2xx.
            </p>
            {add}
          </div>
          {data.webhooks.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} />
          ))}
        </>
      )}
      {isAdding && <NewWebhookDialog onClose={() => setAdding(false)} />}
    </>
  )
}
