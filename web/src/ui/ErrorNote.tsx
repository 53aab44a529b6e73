import { CircleAlert } from 'lucide-react'
import { ApiError } from '../api/api.ts'
import { Button } from './Button.tsx'

/** What happened, in the server's words, with a way to try again where that can help. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error)
  const wait = error instanceof ApiError ? error.retryAfterSeconds : null
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-lg border border-danger/40 bg-danger-soft px-4 py-3 text-sm"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 break-words">
        <p>{message}</p>
        {wait !== null && <p className="text-muted">Try again in {wait} s.</p>}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

/** What the server said about one field, for the field's own note. */
export function fieldError(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.details.find((detail) => detail.path === path)?.message
}
