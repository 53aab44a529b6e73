import { CircleCheck, CircleX } from 'lucide-react'
import { ErrorNote } from '../../ui/ErrorNote.tsx'

interface TestOutcomeProps {
  test: {
    data: { ok: boolean; message: string; milliseconds: number } | undefined
    isError: boolean
    error: unknown
  }
}

/** How trying something went, in words. */
export function TestOutcome({ test: { data, isError, error } }: TestOutcomeProps) {
  const Picture = data?.ok ? CircleCheck : CircleX
  return (
    <div aria-live="polite" className="basis-full text-sm empty:hidden">
      {isError && <ErrorNote error={error} />}
      {data && !isError && (
        <p className="flex items-start gap-2">
          <Picture aria-hidden className={`mt-0.5 size-4 shrink-0 ${data.ok ? 'text-good' : 'text-danger'}`} />
          <span className="min-w-0 break-words">
            <strong>{data.ok ? 'It works.' : 'It does not work.'}</strong> {data.message}{' '}
            {data.milliseconds > 0 && <span className="text-muted">({data.milliseconds} ms)</span>}
          </span>
        </p>
      )}
    </div>
  )
}
