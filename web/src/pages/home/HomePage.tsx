import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { projectsQuery } from '../../api/projects.ts'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'

/** Leads to the first project, or to making one. */
export default function HomePage() {
  const projects = useQuery(projectsQuery)
  if (projects.isError) return <ErrorNote error={projects.error} onRetry={() => projects.refetch()} />
  if (!projects.data) return <SkeletonLines count={6} />
  const [first] = projects.data
  return <Redirect to={first ? `/p/${first.id}` : '/projects/new'} replace />
}
