import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api.ts'
import { Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { formatNumber } from '../../ui/format-number.ts'
import { FileChange } from './FileChange.tsx'
import { type ChangedFile, diffQuery } from './job-queries.ts'

// So many lines can be taken in at once; the files after them stay folded.
const openLines = 300

interface ChangesProps {
  projectId: string
  id: string
  /** Number of the event that the job last ended with; null while it is unknown. */
  lastEnd: number | null
  /** Whether there are changes for sure, so that their place is kept until they come. */
  hasSome: boolean
}

/** Every file that the job changed, with its lines. */
export function Changes({ projectId, id, lastEnd, hasSome }: ChangesProps) {
  const diff = useQuery(diffQuery({ projectId, id }, { lastEnd }))
  if (diff.isError) {
    // Gone for good: asking again gives the same.
    const isGone = diff.error instanceof ApiError && diff.error.code === 'job.diff_gone'
    return (
      <Card title="Changes">
        {isGone ? (
          <p className="text-sm text-muted">{diff.error.message}</p>
        ) : (
          <ErrorNote error={diff.error} onRetry={() => diff.refetch()} />
        )}
      </Card>
    )
  }
  if (!diff.data) {
    if (!hasSome) return null
    return (
      <Card title="Changes">
        <SkeletonLines count={5} label="Loading the changes" />
      </Card>
    )
  }
  const { files, truncated } = diff.data
  if (files.length === 0) return null
  let lines = 0
  return (
    <Card title="Changes" description={<Size files={files} />}>
      <ul className="flex flex-col gap-3">
        {files.map((file) => {
          lines += file.added + file.removed
          return <FileChange key={file.path} file={file} isOpenAtFirst={lines <= openLines} />
        })}
      </ul>
      {truncated && (
        <p className="text-sm text-muted">
          Some of it is too long to be shown here: files, lines or ends of lines are left out. The pull request has all
          of it.
        </p>
      )}
    </Card>
  )
}

function Size({ files }: { files: ChangedFile[] }) {
  const sum = (count: (file: ChangedFile) => number) => files.reduce((total, file) => total + count(file), 0)
  const added = sum((file) => file.added)
  const removed = sum((file) => file.removed)
  return (
    <>
      {files.length === 1 ? '1 file' : `${files.length} files`}, {lineWords(added)} added and {removed} removed,
      compared with where the branch began
    </>
  )
}

function lineWords(count: number): string {
  return count === 1 ? '1 line' : `${formatNumber(count)} lines`
}
