import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Project } from '../../api/client.ts'
import { Card } from '../../ui/Card.tsx'
import { builtinEditor, editorForms } from './editor-forms.ts'
import { useCreateJob } from './job-queries.ts'
import { PromptForm } from './PromptForm.tsx'

/** Asks for a change, and leads to the page where it can be watched. */
export function NewJobBox({ project }: { project: Project }) {
  const [text, setText] = useState('')
  const textRef = useRef<HTMLTextAreaElement>(null)
  const [, navigate] = useLocation()
  const create = useCreateJob(project.id)
  const isBuiltin = project.model === builtinEditor
  return (
    <Card
      title="Ask for a change"
      description="An agent edits the docs and opens a pull request. Nothing is live before you merge it."
    >
      <PromptForm
        label="What should change?"
        placeholder={
          isBuiltin
            ? 'rename page quickstart to start'
            : 'The SDK renamed createClient to connect. Update every page that uses it.'
        }
        submitLabel="Start the job"
        text={text}
        onText={setText}
        textRef={textRef}
        onSubmit={async (submission) => {
          const job = await create.mutateAsync(submission)
          navigate(`/p/${project.id}/jobs/${job.id}`)
        }}
      >
        {isBuiltin && (
          <Suggestions
            onChoose={(example) => {
              setText(example)
              textRef.current?.focus()
            }}
          />
        )}
        <WhoWorks project={project} />
      </PromptForm>
    </Card>
  )
}

function Suggestions({ onChoose }: { onChoose(example: string): void }) {
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="mb-1.5 text-xs text-muted">It understands, for example:</legend>
      {editorForms.map(({ does, example }) => (
        <button
          key={example}
          type="button"
          title={does}
          onClick={() => onChoose(example)}
          className="rounded-full border bg-sunken px-2.5 py-1 text-left font-mono text-xs text-ink hover:border-accent hover:bg-accent-soft"
        >
          {example}
        </button>
      ))}
    </fieldset>
  )
}

function WhoWorks({ project }: { project: Project }) {
  const settings = (
    <Link href={`/p/${project.id}/settings`} className="font-medium text-accent-strong underline underline-offset-2">
      {project.model === builtinEditor ? 'choose a model' : 'Settings'}
    </Link>
  )
  if (project.model !== builtinEditor) {
    return (
      <p className="text-xs text-muted">
        <span className="font-mono text-ink">{project.model}</span> does the work; another model can be chosen in{' '}
        {settings}.
      </p>
    )
  }
  return (
    <p className="text-xs text-muted">
      The built-in editor does the work: it follows exact instructions and asks no AI. For prompts in your own words,{' '}
      {settings}.
    </p>
  )
}
