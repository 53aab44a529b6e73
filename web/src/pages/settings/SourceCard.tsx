import type { Project } from '../../api/client.ts'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useProjectChange } from './project-change.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { SourceTestButton } from './SourceTestButton.tsx'

const providerNames = {
  builtin: 'Built-in host',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  bitbucket: 'Bitbucket',
}

/** Where the project's files come from. The provider is chosen once, when the project is made. */
export function SourceCard({ project: { source } }: { project: Project }) {
  const change = useProjectChange('Saved. If the place changed, the site is published from there.')
  const isBuiltin = source.provider === 'builtin'
  const save = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const elsewhere = isBuiltin ? {} : { repository: text('repository'), apiUrl: text('apiUrl') || null }
    change.mutate({ source: { ref: text('ref') || null, docsPath: text('docsPath'), ...elsewhere } })
  }
  return (
    <SettingsForm
      title="Source"
      description="Where the files come from. The site is published from there, and agents work on it."
      change={change}
      onSave={save}
      actions={<SourceTestButton />}
    >
      <p className="text-sm">
        <span className="text-muted">Provider</span> {providerNames[source.provider]}
      </p>
      <TextField
        label="Repository"
        name="repository"
        defaultValue={source.repository}
        readOnly={isBuiltin}
        required={!isBuiltin}
        hint={
          isBuiltin
            ? 'Docent’s own: clone and push over HTTP, with an API key as the password.'
            : 'owner/name or the full address. On another host, the stored token is taken away: it belongs to the old one.'
        }
        error={fieldError(change.error, 'source.repository')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Branch"
          name="ref"
          defaultValue={source.ref ?? ''}
          placeholder="the repository’s default"
          hint="It is published, and agents start from it."
          error={fieldError(change.error, 'source.ref')}
        />
        <TextField
          label="Docs folder"
          name="docsPath"
          defaultValue={source.docsPath}
          placeholder="the whole repository"
          hint="Only this folder is published and changed."
          error={fieldError(change.error, 'source.docsPath')}
        />
      </div>
      {!isBuiltin && (
        <TextField
          label="API URL"
          name="apiUrl"
          type="url"
          defaultValue={source.apiUrl ?? ''}
          placeholder="the provider’s usual one"
          hint="For a host that you run yourself, such as https://git.example.com/api/v3."
          error={fieldError(change.error, 'source.apiUrl')}
        />
      )}
    </SettingsForm>
  )
}
