import { useInfiniteQuery } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { api } from '../../api/api.ts'
import type { Feedback } from '../../api/client.ts'
import { useProject } from '../../api/projects.ts'
import { Card, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { MoreButton } from './MoreButton.tsx'
import { PageLink } from './PagesCard.tsx'
import { queryOf } from './range.ts'
import type { Asked } from './visitor-queries.ts'

/** What readers said of pages. */
export function FeedbackCard({ projectId, range }: Asked) {
  const { data: project } = useProject()
  const feedback = useInfiniteQuery({
    queryKey: ['analytics', projectId, 'feedback', range],
    queryFn: ({ pageParam, signal }) =>
      api.getFeedback({
        path: { projectId },
        query: { ...queryOf(range), limit: 10, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
  })
  const rows = feedback.data?.pages.flatMap((page) => page.feedback) ?? []
  const columns: Column<Feedback>[] = [
    { name: 'helpful', header: 'Helpful?', cell: (row) => <Helpful isHelpful={row.helpful} /> },
    {
      name: 'page',
      header: 'Page',
      className: 'max-w-48 break-all',
      cell: ({ path }) => <PageLink project={project} path={path} />,
    },
    {
      name: 'comment',
      header: 'Comment',
      className: 'min-w-48 max-w-md break-words',
      cell: ({ comment, contact }) => (
        <>
          {comment ?? <span className="text-muted">none</span>}
          {contact && <span className="block text-xs text-muted">Contact: {contact}</span>}
        </>
      ),
    },
    { name: 'when', header: 'When', cell: ({ createdAt }) => <Time at={createdAt} isRelative /> },
  ]
  return (
    <Card
      title="Feedback"
      description="What readers of hosted pages answered to “Was this page helpful?”, newest first."
    >
      {feedback.isError && <ErrorNote error={feedback.error} onRetry={() => feedback.refetch()} />}
      {feedback.isPending && <SkeletonLines count={3} label="Loading the feedback" />}
      {feedback.data && rows.length === 0 && (
        <p className="rounded-xl border border-dashed px-4 py-8 text-center text-sm text-muted">
          Nobody said anything in this range. The question stands at the end of every page of the site.
        </p>
      )}
      {rows.length > 0 && <Table caption="Feedback of readers" columns={columns} rows={rows} rowKey={({ id }) => id} />}
      <MoreButton list={feedback} />
    </Card>
  )
}

function Helpful({ isHelpful }: { isHelpful: boolean }) {
  const Picture = isHelpful ? ThumbsUp : ThumbsDown
  return (
    <span className="inline-flex items-center gap-1.5">
      <Picture aria-hidden className={isHelpful ? 'size-4 text-good' : 'size-4 text-warn'} />
      {isHelpful ? 'Yes' : 'No'}
    </span>
  )
}
