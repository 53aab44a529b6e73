import type { FormEvent, ReactNode } from 'react'
import { useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'

interface SettingsFormProps {
  title: string
  description: ReactNode
  /** What is being saved, or why it could not be. */
  change: { isPending: boolean; isError: boolean; error: unknown }
  /** Gets what was entered, as the form has it. */
  onSave(form: FormData): void
  saveLabel?: string
  /** Beside the button that saves. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of the settings that is saved on its own. A viewer sees it and can enter nothing. */
export function SettingsForm(props: SettingsFormProps) {
  const { title, description, change, onSave, saveLabel = 'Save', actions, children } = props
  const mayWrite = useMayWrite()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSave(new FormData(event.currentTarget))
  }
  return (
    <Card title={title} description={description}>
      <form onSubmit={submit} aria-label={title}>
        <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">{title}</legend>
          {children}
          {change.isError && <ErrorNote error={change.error} />}
          {mayWrite && (
            <div className="flex flex-wrap gap-2">
              <Button type="submit" look="primary" isBusy={change.isPending}>
                {saveLabel}
              </Button>
              {actions}
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}

/** What stands on the lines of a field, without empty ones. */
export function linesOf(value: FormDataEntryValue | null): string[] {
  return String(value ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
