import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import type { SitePreview } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Time } from '../../ui/Time.tsx'

const kinds = [
  { value: 'ref', label: 'Branch' },
  { value: 'commit', label: 'Commit' },
]
const lengths = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
  { value: '8760', label: '1 year' },
]

interface Made extends SitePreview {
  name: string
}

/** Any branch or commit as a site, and links for people who are not signed in. */
export function PreviewsCard() {
  const projectId = useProjectId()
  const mayWrite = useMayWrite()
  const [made, setMade] = useState<Made[]>([])
  const [kind, setKind] = useState('ref')
  const create = useMutation({
    mutationFn: async ({ name, hours }: { name: string; hours: number }) => {
      const chosen = kind === 'ref' ? { ref: name } : { commit: name }
      const body = { ...chosen, expiresInHours: hours }
      return { ...(await api.createPreview({ path: { projectId }, body })), name }
    },
    onSuccess: (preview) => setMade((before) => [preview, ...before]),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    create.mutate({ name: String(form.get('name')).trim(), hours: Number(form.get('hours')) })
  }
  return (
    <Card
      title="Previews"
      description="Any branch or commit as a site of its own. A branch’s preview follows it; its views are not counted."
    >
      <form onSubmit={submit}>
        <fieldset disabled={!mayWrite} className="flex flex-col gap-3">
          <legend className="sr-only">Make a preview</legend>
          <div className="grid gap-3 sm:grid-cols-[auto_1fr_auto]">
            <SelectField
              label="Preview of a"
              options={kinds}
              value={kind}
              onChange={({ target }) => setKind(target.value)}
            />
            <TextField
              label={kind === 'ref' ? 'Branch name' : 'Commit id'}
              name="name"
              required
              placeholder={kind === 'ref' ? 'feature/draft' : '71f25f8'}
              {...(kind === 'commit' ? { pattern: '[0-9a-f]{7,40}', title: '7 to 40 hexadecimal digits' } : {})}
            />
            <SelectField label="Link works for" name="hours" options={lengths} defaultValue="168" />
          </div>
          {create.isError && <ErrorNote error={create.error} />}
          {mayWrite ? (
            <div>
              <Button type="submit" isBusy={create.isPending}>
                Make the links
              </Button>
            </div>
          ) : (
            <p className="text-sm text-muted">{readOnlyReason}</p>
          )}
        </fieldset>
      </form>
      <ul aria-label="Previews" aria-live="polite" className="flex flex-col gap-4 empty:hidden">
        {made.map((preview) => (
          <PreviewLinks key={preview.shareUrl} preview={preview} />
        ))}
      </ul>
      <p className="text-xs text-muted">
        A link to share opens that branch or commit and nothing else. It cannot be taken back before its time, and is
        not kept here: copy it now, or make another one.
      </p>
    </Card>
  )
}

function PreviewLinks({ preview: { name, url, shareUrl, expiresAt } }: { preview: Made }) {
  return (
    <li className="flex flex-col gap-2 rounded-lg border p-3 text-sm">
      <p className="font-medium break-all">
        <code>{name}</code>
      </p>
      <div className="flex flex-wrap gap-2">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClasses()}>
          <ExternalLink aria-hidden className="size-4" />
          Open the preview
        </a>
        <CopyButton text={shareUrl} label="Copy the link to share" />
      </div>
      <p className="text-muted">
        The preview opens for members and for keys of the organization; the{' '}
        <a href={shareUrl} className="underline">
          link to share
        </a>{' '}
        for everybody who has it, until <Time at={expiresAt} />.
      </p>
    </li>
  )
}
