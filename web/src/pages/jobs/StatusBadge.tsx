import { Archive, Check, CircleX, LoaderCircle } from 'lucide-react'
import { Badge, type Tone } from '../../ui/Card.tsx'
import type { JobStatus } from './job-queries.ts'

const looks: Record<JobStatus, { tone: Tone; word: string; Picture: typeof Check; isMoving?: boolean }> = {
  active: { tone: 'accent', word: 'Active', Picture: LoaderCircle, isMoving: true },
  completed: { tone: 'good', word: 'Completed', Picture: Check },
  failed: { tone: 'danger', word: 'Failed', Picture: CircleX },
  archived: { tone: 'neutral', word: 'Archived', Picture: Archive },
}

export const statusWord = (status: JobStatus) => looks[status].word

export function StatusBadge({ status }: { status: JobStatus }) {
  const { tone, word, Picture, isMoving } = looks[status]
  return (
    <Badge tone={tone}>
      <Picture aria-hidden className={isMoving ? 'size-3 animate-spin' : 'size-3'} />
      {word}
    </Badge>
  )
}
