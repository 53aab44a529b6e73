import type { Project } from '../../api/client.ts'
import { TextArea } from '../../ui/Field.tsx'
import { useProjectChange } from './project-change.ts'
import { linesOf, SettingsForm } from './SettingsForm.tsx'

export function OpenPathsCard({ project: { openPaths } }: { project: Project }) {
  const change = useProjectChange()
  return (
    <SettingsForm
      title="Paths open to agents"
      description="Agents may not change what runs in CI, pins dependencies or instructs agents, except what stands here."
      change={change}
      onSave={(form) => change.mutate({ openPaths: linesOf(form.get('openPaths')) })}
    >
      <TextArea
        label="Files and folders, one a line"
        name="openPaths"
        defaultValue={openPaths.join('\n')}
        placeholder={'AGENTS.md\n.github/workflows'}
        hint="From the root of the repository. Whoever can make an agent write there can have it run in CI: leave it empty where nobody needs it."
      />
    </SettingsForm>
  )
}
