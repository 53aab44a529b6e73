import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api.ts'
import type { CreatedKey } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { expiryOf, expiryOptions, today } from './expiry.ts'
import { useCreateKey } from './keys.ts'

const scopeOptions = [
  { value: 'write', label: 'Read and write: everything, agent jobs included' },
  { value: 'read', label: 'Read only: reports, jobs and settings, no changes' },
]

export function CreateKeyDialog({ onCreated, onClose }: { onCreated(key: CreatedKey): void; onClose(): void }) {
  const create = useCreateKey()
  const [expiry, setExpiry] = useState('90')
  const addressFault = addressError(create.error)
  const isAtField =
    addressFault !== undefined || ['name', 'expiresAt'].some((field) => fieldError(create.error, field) !== undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name) ?? '')
    create.mutate(
      {
        name: field('name'),
        scopes: field('scope') === 'read' ? ['read'] : ['read', 'write'],
        expiresAt: expiryOf(expiry, field('date'), Date.now()),
        allowedAddresses: linesOf(field('addresses')),
      },
      { onSuccess: onCreated },
    )
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          name="name"
          hint="What will use it, such as CI or the release script."
          error={fieldError(create.error, 'name')}
          required
          maxLength={100}
          autoComplete="off"
          autoFocus
        />
        <SelectField label="May" name="scope" options={scopeOptions} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Stops working"
            value={expiry}
            onChange={({ target }) => setExpiry(target.value)}
            options={expiryOptions}
            error={expiry === 'date' ? undefined : fieldError(create.error, 'expiresAt')}
          />
          {expiry === 'date' && (
            <TextField
              label="Last day"
              name="date"
              type="date"
              required
              min={today(new Date())}
              max="9999-12-30"
              hint="To the end of this day, by your clock."
              error={fieldError(create.error, 'expiresAt')}
            />
          )}
        </div>
        <TextArea
          label="Allowed addresses"
          name="addresses"
          rows={2}
          placeholder={'203.0.113.7\n10.0.0.0/8'}
          hint="One address or network a line. Empty: the key works from anywhere."
          error={addressFault}
          spellCheck={false}
        />
        {create.isError && !isAtField && <ErrorNote error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create the key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The server names the place in the list; a person counts lines. */
function addressError(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const faults = error.details.flatMap(({ path, message }) => {
    const place = /^allowedAddresses(?:\.(\d+))?$/.exec(path)
    if (!place) return []
    return [place[1] === undefined ? message : `Address ${Number(place[1]) + 1}: ${message}`]
  })
  return faults.length === 0 ? undefined : `${faults.join('; ')}.`
}
