import { Send } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { ApiError } from '../../api/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { Time } from '../../ui/Time.tsx'
import type { Submission } from './job-queries.ts'
import { useSubmissionKey } from './submission-key.ts'

const longestPrompt = 20_000
// Nobody wants to be counted at from the first letter on.
const countFrom = 15_000

interface PromptFormProps {
  label: string
  placeholder: string
  submitLabel: string
  /** What the text box holds; owned by whoever has suggestions for it. */
  text: string
  onText(text: string): void
  /** Rejects when it was not taken. */
  onSubmit(submission: Submission): Promise<unknown>
  textRef?: RefObject<HTMLTextAreaElement | null>
  children?: ReactNode
}

/** A text box for a prompt, and what sends it. */
export function PromptForm(props: PromptFormProps) {
  const { label, placeholder, submitLabel, text, onText, onSubmit, textRef, children } = props
  const submissionKey = useSubmissionKey()
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const prompt = text.trim()
  const isTooLong = prompt.length > longestPrompt

  const send = async () => {
    if (isSending || prompt === '' || isTooLong) return
    setSending(true)
    setError(null)
    try {
      await onSubmit({ prompt, key: submissionKey.keyFor(prompt) })
      submissionKey.renew()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      className="flex flex-col gap-3"
    >
      <TextArea
        {...(textRef ? { ref: textRef } : {})}
        label={label}
        placeholder={placeholder}
        rows={3}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        error={isTooLong ? `${formatNumber(prompt.length)} characters; at most 20,000 are taken.` : undefined}
        hint={
          prompt.length >= countFrom && !isTooLong ? `${formatNumber(prompt.length)} of 20,000 characters` : undefined
        }
      />
      {children}
      {error ? <ErrorNote error={error} /> : null}
      {error instanceof ApiError && error.retryAfterSeconds !== null && (
        <AskAgainAt seconds={error.retryAfterSeconds} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          look="primary"
          icon={<Send aria-hidden className="size-4" />}
          isBusy={isSending}
          disabled={prompt === '' || isTooLong}
        >
          {submitLabel}
        </Button>
        <span className="hidden text-xs text-muted sm:inline">or press Ctrl + Enter</span>
      </div>
    </form>
  )
}

function AskAgainAt({ seconds }: { seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1000).toISOString())
  return (
    <p className="text-sm text-muted">
      The project’s hourly limit is used up. You can ask again at <Time at={at} />.
    </p>
  )
}
