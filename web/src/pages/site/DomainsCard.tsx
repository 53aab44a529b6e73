import { Globe, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import type { SiteDomain } from '../../api/client.ts'
import { useMayWrite } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Card, EmptyState, SkeletonLines } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Time } from '../../ui/Time.tsx'
import { DomainSteps } from './DomainSteps.tsx'
import { useDomains, useSiteChange } from './site-queries.ts'

/** Names of one's own for the site. */
export function DomainsCard() {
  const domains = useDomains()
  const mayWrite = useMayWrite()
  const [removed, setRemoved] = useState<SiteDomain | null>(null)
  const [shownSteps, setShownSteps] = useState<string | null>(null)
  const list = domains.data?.domains
  return (
    <Card
      title="Domains"
      description="The site under names of your own, from their root. The address on this server keeps working."
    >
      {domains.isPending && <SkeletonLines count={2} label="Loading domains" />}
      {domains.isError && <ErrorNote error={domains.error} onRetry={() => domains.refetch()} />}
      {list?.length === 0 && (
        <EmptyState title="No domain yet" icon={<Globe aria-hidden className="size-6" />}>
          <p>Add a name such as docs.example.com, and you are told how to lead it here.</p>
        </EmptyState>
      )}
      {list && list.length > 0 && (
        <ul aria-label="Domains" className="flex flex-col divide-y">
          {list.map((domain) => (
            <li key={domain.name} className="flex flex-col gap-2 py-2 text-sm">
              <div className="flex items-center gap-2">
                <div className="min-w-0 flex-1">
                  <a
                    href={domain.url}
                    target="_blank"
                    rel="noreferrer"
                    className="font-medium break-all hover:underline"
                  >
                    {domain.name}
                  </a>
                  <p className="text-muted">
                    Added <Time at={domain.createdAt} isRelative />. Served as soon as the name leads here.
                  </p>
                </div>
                <Button
                  look="quiet"
                  aria-expanded={shownSteps === domain.name}
                  aria-label={`How to lead ${domain.name} here`}
                  onClick={() => setShownSteps(shownSteps === domain.name ? null : domain.name)}
                >
                  How
                </Button>
                {mayWrite && (
                  <IconButton label={`Remove ${domain.name}`} onClick={() => setRemoved(domain)}>
                    <Trash2 aria-hidden className="size-4" />
                  </IconButton>
                )}
              </div>
              {shownSteps === domain.name && <DomainSteps name={domain.name} />}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && <AddDomain onAdded={setShownSteps} />}
      {removed && <RemoveDialog domain={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

function AddDomain({ onAdded }: { onAdded(name: string): void }) {
  const add = useSiteChange((name: string, projectId) => api.addSiteDomain({ path: { projectId }, body: { name } }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    add.mutate(String(new FormData(form).get('name')).trim(), {
      onSuccess: ({ name }) => {
        form.reset()
        onAdded(name)
      },
    })
  }
  const fault = fieldError(add.error, 'name')
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          label="Domain"
          isLabelHidden
          name="name"
          required
          maxLength={253}
          placeholder="docs.example.com"
          className="min-w-0 flex-1 basis-48"
          error={fault}
        />
        <Button type="submit" isBusy={add.isPending}>
          Add the domain
        </Button>
      </div>
      {add.isError && fault === undefined && <ErrorNote error={add.error} />}
    </form>
  )
}

function RemoveDialog({ domain: { name }, onClose }: { domain: SiteDomain; onClose(): void }) {
  const remove = useSiteChange((_: undefined, projectId) => api.removeSiteDomain({ path: { projectId, name } }))
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove the domain"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Readers who open {name} no longer get this site. It can be added again, by this project or by any other of this
        server.
      </p>
    </ConfirmDialog>
  )
}
