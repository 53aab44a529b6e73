import type { Operations } from '../../api/client.ts'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'

type NewSource = NonNullable<Operations['createProject']['body']['source']>
export type Provider = NewSource['provider']

export const providerNames: Record<Provider, string> = {
  builtin: 'Built-in: Docent makes a repository and keeps it',
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  bitbucket: 'Bitbucket',
}

export const sourceFieldNames = ['repository', 'ref', 'docsPath', 'apiUrl', 'token'] as const

const tokenHints: Record<Exclude<Provider, 'builtin'>, string> = {
  github: 'It needs to read and write contents and pull requests.',
  gitlab: 'It needs the scope api, of a member that is at least Developer.',
  gitea: 'It needs the scope write:repository.',
  bitbucket: 'It needs the scopes repository:write and pullrequest:write.',
}

/** Where the files of a repository elsewhere are, and how they are reached. */
export function SourceFields({ provider, error }: { provider: Exclude<Provider, 'builtin'>; error: unknown }) {
  const errorOf = (field: (typeof sourceFieldNames)[number]) => fieldError(error, `source.${field}`)
  return (
    <>
      <TextField
        label="Repository"
        name="repository"
        required
        maxLength={500}
        autoComplete="off"
        placeholder="acme/docs"
        hint="owner/name, or the whole address of one that you host yourself."
        error={errorOf('repository')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Branch"
          name="ref"
          maxLength={250}
          autoComplete="off"
          hint="Empty: the default branch."
          error={errorOf('ref')}
        />
        <TextField
          label="Docs folder"
          name="docsPath"
          maxLength={500}
          autoComplete="off"
          placeholder="docs"
          hint="Empty: the root of the repository."
          error={errorOf('docsPath')}
        />
      </div>
      <TextField
        label="Access token"
        name="token"
        type="password"
        autoComplete="off"
        maxLength={4096}
        hint={`${tokenHints[provider]} Stored encrypted, and never shown.`}
        error={errorOf('token')}
      />
      <TextField
        label="API address (self-managed hosts)"
        name="apiUrl"
        type="url"
        autoComplete="off"
        placeholder="https://git.example.com/api/v3"
        hint="Empty for the vendor’s own service."
        error={errorOf('apiUrl')}
      />
    </>
  )
}

/** The source as the form has it; what is empty is left out. */
export function sourceOf(provider: Provider, form: FormData): NewSource {
  if (provider === 'builtin') return { provider }
  const given = sourceFieldNames.flatMap((name) => {
    const value = String(form.get(name) ?? '').trim()
    return value === '' ? [] : [[name, value]]
  })
  return { provider, ...Object.fromEntries(given) }
}
