import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import type { Project } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { fieldError } from '../../ui/ErrorNote.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { useProjectChange } from './project-change.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { TestOutcome } from './TestOutcome.tsx'

type Choice = 'server' | 'builtin' | 'other'
const choices = [
  { value: 'server', label: 'The server’s default' },
  { value: 'builtin', label: 'The built-in editor' },
  { value: 'other', label: 'Another model' },
]
const builtin = 'builtin/editor'
const hints = {
  server: 'As DOCENT_MODEL says on the server.',
  builtin: 'Follows plain instructions exactly. It needs no key, and costs nothing.',
  other: 'Keys and addresses of models are settings of the server; see the manual’s page on models.',
}

/** What agents think with, and whether it answers. */
export function ModelCard({ project }: { project: Project }) {
  const change = useProjectChange()
  const [choice, setChoice] = useState<Choice>(
    !project.hasOwnModel ? 'server' : project.model === builtin ? 'builtin' : 'other',
  )
  const [name, setName] = useState(project.hasOwnModel && project.model !== builtin ? project.model : '')
  const chosen = { server: null, builtin, other: name.trim() }[choice]
  const isSaved = chosen === (project.hasOwnModel ? project.model : null)
  const test = useMutation({ mutationFn: () => api.testModel({ path: { projectId: project.id } }) })
  const save = () => {
    test.reset()
    change.mutate({ model: chosen })
  }
  return (
    <SettingsForm
      title="Model"
      description={
        <>
          What agents of this project think with. Now: <code>{project.model}</code>
          {project.hasOwnModel ? '' : ', the server’s default'}.
        </>
      }
      change={change}
      onSave={save}
      actions={
        <>
          <Button
            icon={<FlaskConical aria-hidden className="size-4" />}
            isBusy={test.isPending}
            disabled={!isSaved}
            title={isSaved ? 'Asks the model for one word.' : 'Save first: what is saved is tested.'}
            onClick={() => test.mutate()}
          >
            Test the model
          </Button>
          <TestOutcome test={test} />
        </>
      }
    >
      <SelectField
        label="Model"
        options={choices}
        value={choice}
        onChange={({ target }) => setChoice(target.value as Choice)}
        hint={hints[choice]}
      />
      {choice === 'other' && (
        <TextField
          label="Name of the model"
          required
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder="anthropic/claude-sonnet-4-5"
          hint="The provider (anthropic, openai, google or openai-compatible), a slash, and the provider’s own name."
          error={fieldError(change.error, 'model')}
        />
      )}
    </SettingsForm>
  )
}
