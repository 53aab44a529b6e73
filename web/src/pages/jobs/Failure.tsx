import { CircleX } from 'lucide-react'
import { Link } from 'wouter'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { editorForms, withoutForms } from './editor-forms.ts'
import { nextStep } from './next-steps.ts'

interface FailureProps {
  error: { code: string; message: string }
  projectId: string
  /** Null where this person may not. */
  onAgain: (() => void) | null
  onRephrase: (() => void) | null
  isSending: boolean
  /** Why it could not be sent again. */
  refusal: unknown
}

/** Why the job failed, and what to do about it. */
export function Failure({ error, projectId, onAgain, onRephrase, isSending, refusal }: FailureProps) {
  const { words, actions, showsForms } = nextStep(error.code)
  return (
    <section
      aria-label="Why it failed"
      className="flex flex-col gap-4 rounded-xl border border-danger/40 bg-surface p-5"
    >
      <div className="flex gap-3">
        <CircleX aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
        <div className="flex min-w-0 flex-col gap-1">
          <h2 className="font-semibold">The job failed</h2>
          <p className="text-sm break-words">{withoutForms(error.message)}</p>
          <p className="text-xs text-muted">
            Error code <code className="font-mono">{error.code}</code>
          </p>
        </div>
      </div>
      <div className="flex flex-col gap-3 rounded-lg bg-sunken px-4 py-3 text-sm">
        <h3 className="font-medium">What to do next</h3>
        <p>{words}</p>
        {showsForms && <Forms />}
        {refusal ? <ErrorNote error={refusal} /> : null}
        <div className="flex flex-wrap gap-2">
          {actions.includes('rephrase') && onRephrase && <Button onClick={onRephrase}>Change the prompt</Button>}
          {actions.includes('again') && onAgain && (
            <Button onClick={onAgain} isBusy={isSending}>
              Send it again
            </Button>
          )}
          {actions.includes('settings') && (
            <Link href={`/p/${projectId}/settings`} className={buttonClasses()}>
              Open the settings
            </Link>
          )}
          {actions.includes('new-job') && (
            <Link href={`/p/${projectId}/jobs`} className={buttonClasses()}>
              Make a new job
            </Link>
          )}
        </div>
      </div>
    </section>
  )
}

function Forms() {
  return (
    <ul className="flex flex-col gap-1">
      {editorForms.map(({ does, form, example }) => (
        <li key={form} className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <code className="font-mono text-[0.8125rem] break-words">{form}</code>
            <p className="text-xs text-muted">{does}</p>
          </div>
          <CopyButton text={example} label={`Copy the example ${example}`} isIconOnly />
        </li>
      ))}
    </ul>
  )
}
