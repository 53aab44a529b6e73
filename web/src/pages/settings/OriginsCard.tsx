import type { AnalyticsSettings } from '../../api/client.ts'
import { useProjectId } from '../../api/projects.ts'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { useAnalyticsChange } from './analytics-queries.ts'
import { linesOf, SettingsForm } from './SettingsForm.tsx'

/** Sites that are not served here, and count by a script on their pages. */
export function OriginsCard({ settings }: { settings: AnalyticsSettings }) {
  const change = useAnalyticsChange()
  const projectId = useProjectId()
  const tag = `<script defer src="${window.location.origin}/analytics.js" data-project="${projectId}"></script>`
  return (
    <SettingsForm
      title="Sites with the script"
      description="Pages that Docent serves are counted without it. For sites served elsewhere, put the tag on their pages and their origins here."
      change={change}
      onSave={(form) => change.mutate({ origins: linesOf(form.get('origins')) })}
    >
      <CodeLine code={tag} label="Copy the tag" />
      <TextArea
        label="Origins that may send views, one a line"
        name="origins"
        defaultValue={settings.origins.join('\n')}
        placeholder="https://docs.example.com"
        hint="From any other, what the script sends is refused. The script sets no cookie and stores nothing."
      />
    </SettingsForm>
  )
}
