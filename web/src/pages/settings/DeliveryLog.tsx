import { useState } from 'react'
import type { Webhook, WebhookDelivery } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, type Tone } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { type Column, Pager, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { type DeliveryFilter, deliveriesShown, useDeliveries } from './webhook-queries.ts'

const states = [
  { value: '', label: 'All deliveries' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]

export const deliveryTones: Record<WebhookDelivery['state'], Tone> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'danger',
}

/** What was sent to one webhook and what came back; kept for 30 days. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const [state, setState] = useState<DeliveryFilter>('')
  const [offset, setOffset] = useState(0)
  const [shown, setShown] = useState<string | null>(null)
  const { data, isError, error, refetch } = useDeliveries(webhook.id, { state, offset })
  const columns: Column<WebhookDelivery>[] = [
    { name: 'event', header: 'Event', cell: ({ event }) => <code>{event}</code> },
    {
      name: 'state',
      header: 'State',
      cell: (delivery) => <Badge tone={deliveryTones[delivery.state]}>{delivery.state}</Badge>,
    },
    { name: 'answer', header: 'Answer', cell: answerWords, className: 'max-w-72 truncate' },
    { name: 'attempts', header: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { name: 'created', header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
    {
      name: 'details',
      header: <span className="sr-only">Details</span>,
      cell: ({ id, event }) => (
        <Button look="quiet" aria-label={`Details of ${event} ${id}`} onClick={() => setShown(id)}>
          Details
        </Button>
      ),
    },
  ]
  const isEmpty = data?.deliveries.length === 0 && offset === 0
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 className="text-sm font-medium">Delivery log</h3>
        <SelectField
          label="State of deliveries"
          isLabelHidden
          options={states}
          value={state}
          onChange={({ target }) => {
            setState(target.value as DeliveryFilter)
            setOffset(0)
          }}
        />
      </div>
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {isEmpty && (
        <p className="text-sm text-muted">
          {state === '' ? 'Nothing was sent yet. Send a test to see what arrives.' : 'There is none in this state.'}
        </p>
      )}
      {data && !isEmpty && (
        <>
          <Table
            caption={`Deliveries to ${webhook.url}`}
            columns={columns}
            rows={data.deliveries}
            rowKey={({ id }) => id}
          />
          <Pager
            offset={offset}
            limit={deliveriesShown}
            count={data.deliveries.length}
            hasMore={data.hasMore}
            onMove={setOffset}
          />
        </>
      )}
      {shown && <DeliveryDialog webhook={webhook} deliveryId={shown} onClose={() => setShown(null)} />}
    </div>
  )
}

export function answerWords({ responseStatus, error, attempts }: WebhookDelivery): string {
  if (error !== null) return error
  if (responseStatus !== null) return `Answered ${responseStatus}`
  return attempts === 0 ? 'Not sent yet' : 'No answer'
}
