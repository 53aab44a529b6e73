import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { AgentLimits } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote, fieldError } from '../../ui/ErrorNote.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { useToast } from '../../ui/Toast.tsx'
import { SettingsForm } from './SettingsForm.tsx'

type Name = keyof AgentLimits
const limits: { name: Name; label: string; about: string; least: number }[] = [
  { name: 'jobsPerHour', label: 'Jobs an hour', about: 'Jobs and follow-ups; further ones are refused.', least: 1 },
  { name: 'maxSteps', label: 'Steps', about: 'Answers of the model for one prompt.', least: 1 },
  { name: 'maxMinutes', label: 'Minutes', about: 'For one prompt.', least: 1 },
  { name: 'maxTokens', label: 'Tokens', about: 'For one prompt, in and out.', least: 1000 },
  { name: 'maxFiles', label: 'Files', about: 'That one prompt may change.', least: 1 },
]
const title = 'Agent limits'

export function AgentLimitsCard() {
  const projectId = useProjectId()
  const queryKey = ['agent-limits', projectId]
  const { data, isError, error, refetch } = useQuery({
    queryKey,
    queryFn: () => api.getAgentLimits({ path: { projectId } }),
  })
  if (data) return <LimitsForm saved={data} queryKey={queryKey} />
  return (
    <Card title={title}>
      {isError ? <ErrorNote error={error} onRetry={() => refetch()} /> : <SkeletonLines count={4} />}
    </Card>
  )
}

function LimitsForm({ saved, queryKey }: { saved: AgentLimits; queryKey: string[] }) {
  const projectId = useProjectId()
  const queries = useQueryClient()
  const say = useToast()
  const change = useMutation({
    mutationFn: (body: Record<Name, number | null>) => api.changeAgentLimits({ path: { projectId }, body }),
    onSuccess: (answer) => {
      queries.setQueryData(queryKey, answer)
      say('Saved. Prompts that begin from now on have these limits.')
    },
  })
  const save = (form: FormData) => {
    const entries = limits.map(({ name }) => [name, form.get(name) ? Number(form.get(name)) : null])
    change.mutate(Object.fromEntries(entries))
  }
  return (
    <SettingsForm
      title={title}
      description="What a prompt may use up; what is done by then is wrapped up. Left empty, the server’s setting holds, and none can be higher."
      change={change}
      onSave={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {limits.map(({ name, label, about, least }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            type="number"
            min={least}
            max={saved[name].most}
            defaultValue={saved[name].own ?? ''}
            placeholder={String(saved[name].most)}
            hint={`${about} The server allows ${formatNumber(saved[name].most)}.`}
            error={fieldError(change.error, name)}
          />
        ))}
      </div>
    </SettingsForm>
  )
}
