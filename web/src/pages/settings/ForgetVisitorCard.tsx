import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { SettingsForm } from './SettingsForm.tsx'

type Named = Operations['forgetVisitor']['body']
const ways = [
  { value: 'client', label: 'Address and user agent' },
  { value: 'visitorId', label: 'Your own id' },
  { value: 'visitor', label: 'Id in an export' },
]

/** Deletes all views of one visitor, as people may ask for. */
export function ForgetVisitorCard() {
  const projectId = useProjectId()
  const [way, setWay] = useState('client')
  const [named, setNamed] = useState<Named | null>(null)
  const forget = useMutation({
    mutationFn: (body: Named) => api.forgetVisitor({ path: { projectId }, body }),
    onSettled: () => setNamed(null),
  })
  const ask = (form: FormData) => {
    const text = (name: string) => String(form.get(name)).trim()
    if (way === 'visitorId') setNamed({ visitorId: text('visitorId') })
    else if (way === 'visitor') setNamed({ visitor: text('visitor') })
    else setNamed({ ip: text('ip'), userAgent: text('userAgent') })
  }
  return (
    <SettingsForm
      title="Forget a visitor"
      description="Deletes every view of one visitor. Addresses are never stored, so it takes what the visitor’s id is made from."
      change={forget}
      saveLabel="Forget the visitor…"
      onSave={ask}
    >
      <SelectField label="Named by" options={ways} value={way} onChange={({ target }) => setWay(target.value)} />
      {way === 'client' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="IP address" name="ip" required placeholder="203.0.113.7" />
          <TextField label="User agent" name="userAgent" required placeholder="Mozilla/5.0 …" />
        </div>
      )}
      {way === 'visitorId' && (
        <TextField label="The id that your events named" name="visitorId" required maxLength={500} />
      )}
      {way === 'visitor' && (
        <TextField
          label="The visitor of an export"
          name="visitor"
          required
          pattern="[0-9a-f]{16}"
          title="16 hexadecimal digits"
        />
      )}
      <p aria-live="polite" className="text-sm empty:hidden">
        {forget.data && (forget.data.views === 1 ? '1 view was deleted.' : `${forget.data.views} views were deleted.`)}
      </p>
      {named && (
        <ConfirmDialog
          title="Forget this visitor?"
          confirmLabel="Delete their views"
          isBusy={forget.isPending}
          onConfirm={() => forget.mutate(named)}
          onClose={() => setNamed(null)}
        >
          <p>All their views are deleted, and reports of the past change accordingly. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </SettingsForm>
  )
}
