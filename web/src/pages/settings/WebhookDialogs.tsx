import type { FormEvent } from 'react'
import { api } from '../../api/api.ts'
import type { Webhook } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { Checkbox, TextField } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { SecretOnce } from './SecretOnce.tsx'
import { type EventName, useWebhookChange, webhookEvents } from './webhook-queries.ts'

interface Entered {
  url: string
  events: EventName[]
  enabled: boolean
}

export function NewWebhookDialog({ onClose }: { onClose(): void }) {
  const create = useWebhookChange(({ url, events }: Entered, projectId) =>
    api.createWebhook({ path: { projectId }, body: { url, events } }),
  )
  if (create.data) return <SecretDialog secret={create.data.secret} onClose={onClose} />
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <WebhookForm change={create} saveLabel="Add the webhook" onSave={(entered) => create.mutate(entered)} />
    </Dialog>
  )
}

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const say = useToast()
  const change = useWebhookChange((body: Entered, projectId) =>
    api.changeWebhook({ path: { projectId, webhookId: webhook.id }, body }),
  )
  const save = (entered: Entered) =>
    change.mutate(entered, {
      onSuccess: () => {
        say('Saved.')
        onClose()
      },
    })
  return (
    <Dialog title="Edit the webhook" onClose={onClose}>
      <WebhookForm saved={webhook} change={change} saveLabel="Save" onSave={save} />
    </Dialog>
  )
}

interface WebhookFormProps {
  saved?: Webhook
  change: { isPending: boolean; isError: boolean; error: unknown }
  saveLabel: string
  onSave(entered: Entered): void
}

function WebhookForm({ saved, change, saveLabel, onSave }: WebhookFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const events = form.getAll('events') as EventName[]
    onSave({ url: String(form.get('url')).trim(), events, enabled: form.get('enabled') === 'on' })
  }
  const fault = fieldError(change.error, 'url')
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2000}
        defaultValue={saved?.url}
        placeholder="https://ci.example.com/docent"
        hint="Private addresses are refused unless the server allows them (DOCENT_WEBHOOK_ALLOW_PRIVATE)."
        error={fault}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Events</legend>
        {webhookEvents.map(({ name, about }) => (
          <Checkbox
            key={name}
            label={name}
            hint={about}
            name="events"
            value={name}
            defaultChecked={saved === undefined || saved.events.includes(name)}
          />
        ))}
      </fieldset>
      {saved && (
        <Checkbox
          label="Enabled"
          hint="While it is off, what happens is not told, and not told later either."
          name="enabled"
          defaultChecked={saved.enabled}
        />
      )}
      {change.isError && fault === undefined && <ErrorNote error={change.error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={change.isPending}>
          {saveLabel}
        </Button>
      </div>
    </form>
  )
}

export function RotateSecretDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const rotate = useWebhookChange((_: undefined, projectId) =>
    api.rotateWebhookSecret({ path: { projectId, webhookId: webhook.id } }),
  )
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} onClose={onClose} />
  return (
    <ConfirmDialog
      title="Make a new secret?"
      confirmLabel="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    >
      <p>For a day, what is sent is signed with both, so that there is time to enter the new one at the receiver.</p>
    </ConfirmDialog>
  )
}

export function DeleteWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const remove = useWebhookChange((_: undefined, projectId) =>
    api.deleteWebhook({ path: { projectId, webhookId: webhook.id } }),
  )
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      confirmLabel="Delete the webhook"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="break-words">
        Nothing more is sent to {webhook.url}, and its log is deleted. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title="The webhook’s secret" onClose={onClose}>
      <SecretOnce secret={secret}>
        <p>
          The receiver checks with it that a request is Docent’s: any library for Standard Webhooks does that, from the
          headers webhook-id, webhook-timestamp and webhook-signature.
        </p>
      </SecretOnce>
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
