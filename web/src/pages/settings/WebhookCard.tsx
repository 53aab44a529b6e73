import { useState } from 'react'
import { api } from '../../api/api.ts'
import type { Webhook } from '../../api/client.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Time } from '../../ui/Time.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { DeleteWebhookDialog, EditWebhookDialog, RotateSecretDialog } from './WebhookDialogs.tsx'
import { useWebhookChange } from './webhook-queries.ts'

export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const mayWrite = useMayWrite()
  const say = useToast()
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const test = useWebhookChange((_: undefined, projectId) =>
    api.testWebhook({ path: { projectId, webhookId: webhook.id } }),
  )
  return (
    <Card
      title={webhook.url}
      description={
        <>
          {webhook.events.join(', ')}. Added <Time at={webhook.createdAt} isRelative />.
        </>
      }
      actions={webhook.enabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Disabled</Badge>}
      className="[&_h2]:break-all"
    >
      {!webhook.enabled && (
        <p className="text-sm">
          Nothing is sent. It was switched off here, or its receiver answered 410, which means that it wants nothing any
          more.
        </p>
      )}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          <Button
            isBusy={test.isPending}
            disabled={!webhook.enabled}
            title={webhook.enabled ? 'Sends a webhook.test event, once.' : 'Enable it first.'}
            onClick={() => test.mutate(undefined, { onSuccess: () => say('The test is on its way; see the log.') })}
          >
            Send a test
          </Button>
          <Button onClick={() => setDialog('edit')}>Edit</Button>
          <Button onClick={() => setDialog('rotate')}>New secret</Button>
          <Button onClick={() => setDialog('delete')}>Delete</Button>
        </div>
      )}
      {test.isError && <ErrorNote error={test.error} />}
      <DeliveryLog webhook={webhook} />
      {dialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </Card>
  )
}
