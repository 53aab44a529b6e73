import { Bot } from 'lucide-react'
import type { Project } from '../../api/client.ts'
import { EmptyState } from '../../ui/Card.tsx'
import { CodeLine } from '../../ui/CopyButton.tsx'
import { builtinEditor } from './editor-forms.ts'

/** A project nobody has asked anything yet: the same by three ways. */
export function NoJobs({ project }: { project: Project }) {
  const prompt =
    project.model === builtinEditor
      ? 'rename page quickstart to start'
      : 'Mention the new retry option on every SDK page'
  const curl = `curl -H "Authorization: Bearer $DOCENT_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "${prompt}"}' \\
  ${window.location.origin}/v2/agent/${project.id}/job`
  const cli = `npx docent job create --project ${project.id} \\
  --watch --prompt '${prompt}'`
  return (
    <EmptyState title="No jobs yet" icon={<Bot aria-hidden className="size-8" />}>
      <p>Ask for a change above. CI and your own programs can ask too, with a key from the API keys page:</p>
      <div className="text-left text-ink">
        <CodeLine code={curl} label="Copy the curl command" />
      </div>
      <p>Or from a terminal:</p>
      <div className="text-left text-ink">
        <CodeLine code={cli} label="Copy the docent command" />
      </div>
    </EmptyState>
  )
}
