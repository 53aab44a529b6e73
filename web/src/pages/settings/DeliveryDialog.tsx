import { api } from '../../api/api.ts'
import type { Webhook, WebhookDeliveryDetails } from '../../api/client.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, SkeletonLines } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Time } from '../../ui/Time.tsx'
import { answerWords, deliveryTones } from './DeliveryLog.tsx'
import { useDelivery, useWebhookChange } from './webhook-queries.ts'

/** One delivery: what is sent, what came back, and a way to send it again. */
export function DeliveryDialog(props: { webhook: Webhook; deliveryId: string; onClose(): void }) {
  const { webhook, deliveryId, onClose } = props
  const { data, isPending, isError, error, refetch } = useDelivery(webhook.id, deliveryId)
  return (
    <Dialog title="Delivery" onClose={onClose}>
      {isPending && <SkeletonLines count={3} label="Loading the delivery" />}
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data && <Delivery webhook={webhook} delivery={data} />}
    </Dialog>
  )
}

function Delivery({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDeliveryDetails }) {
  const mayWrite = useMayWrite()
  const retry = useWebhookChange((_: undefined, projectId) =>
    api.retryWebhookDelivery({ path: { projectId, webhookId: webhook.id, deliveryId: delivery.id } }),
  )
  const { id, event, state, attempts, createdAt, lastAttemptAt, body } = delivery
  return (
    <div className="flex min-w-0 flex-col gap-4 text-sm">
      <p aria-live="polite" className="flex flex-wrap items-center gap-2">
        <code>{event}</code>
        <Badge tone={deliveryTones[state]}>{state}</Badge>
        <span className="text-muted">
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}, created <Time at={createdAt} />
          {lastAttemptAt && (
            <>
              , last tried <Time at={lastAttemptAt} />
            </>
          )}
        </span>
      </p>
      <div className="flex flex-col gap-1">
        <h3 className="font-medium">Request</h3>
        <p className="break-all text-muted">
          POST {webhook.url}, with <code>webhook-id: {id}</code>
        </p>
        <CodeLine code={indented(body)} label="Copy the body" />
      </div>
      <div className="flex flex-col gap-1">
        <h3 className="font-medium">Answer to the last attempt</h3>
        <p className="break-words">{answerWords(delivery)}</p>
      </div>
      {retry.isError && <ErrorNote error={retry.error} />}
      {mayWrite && (
        <div className="flex justify-end">
          <Button
            isBusy={retry.isPending}
            disabled={!webhook.enabled}
            title={webhook.enabled ? 'Under the same id, so that the receiver can tell.' : 'Enable the webhook first.'}
            onClick={() => retry.mutate(undefined)}
          >
            Send it again
          </Button>
        </div>
      )}
    </div>
  )
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
