import type { Project } from '../../api/client.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useProjectChange } from './project-change.ts'
import { SettingsForm } from './SettingsForm.tsx'

export function NameCard({ project: { id, name, slug } }: { project: Project }) {
  const change = useProjectChange()
  return (
    <SettingsForm
      title="Name"
      description="For people. Addresses keep the slug that the project was made with."
      change={change}
      onSave={(form) => change.mutate({ name: String(form.get('name')) })}
    >
      <TextField
        label="Name"
        name="name"
        defaultValue={name}
        required
        maxLength={100}
        error={fieldError(change.error, 'name')}
      />
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <span>
          Slug <code>{slug}</code>
        </span>
        <span className="flex items-center gap-1">
          Project id <code>{id}</code>
          <CopyButton text={id} label="Copy the project id" isIconOnly />
        </span>
      </p>
    </SettingsForm>
  )
}
