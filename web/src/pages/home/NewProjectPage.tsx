import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import { projectQuery } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, PageHeader } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { type Provider, providerNames, SourceFields, sourceFieldNames, sourceOf } from './SourceFields.tsx'

const providerOptions = Object.entries(providerNames).map(([value, label]) => ({ value, label }))
const fields = ['name', ...sourceFieldNames.map((name) => `source.${name}`)]

export default function NewProjectPage() {
  const mayWrite = useMayWrite()
  return (
    <>
      <PageHeader title="New project" description="One documentation site, with its repository, model and settings." />
      {mayWrite ? <NewProjectForm /> : <p className="text-sm text-muted">{readOnlyReason}</p>}
    </>
  )
}

function NewProjectForm() {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const [provider, setProvider] = useState<Provider>('builtin')
  const create = useMutation({
    mutationFn: (body: Operations['createProject']['body']) => api.createProject({ body }),
    onSuccess: async (project) => {
      queries.setQueryData(projectQuery(project.id).queryKey, project)
      await queries.invalidateQueries({ queryKey: ['projects'] })
      navigate(`/p/${project.id}`)
    },
  })
  const isAtField = fields.some((field) => fieldError(create.error, field) !== undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    create.mutate({ name: String(form.get('name')), source: sourceOf(provider, form) })
  }
  return (
    <Card className="max-w-2xl">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          placeholder="My docs"
          hint="Readers see it, and the site’s address is made from it."
          error={fieldError(create.error, 'name')}
        />
        <SelectField
          label="Source"
          value={provider}
          onChange={({ target }) => setProvider(target.value as Provider)}
          options={providerOptions}
          hint={
            provider === 'builtin'
              ? 'It starts with a few pages from a template. You clone and push it over HTTP with an API key.'
              : 'Docent reads the repository, and its agents open pull requests there.'
          }
        />
        {provider !== 'builtin' && <SourceFields provider={provider} error={create.error} />}
        {create.isError && !isAtField && <ErrorNote error={create.error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create the project
          </Button>
        </div>
      </form>
    </Card>
  )
}
