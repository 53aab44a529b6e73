import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { projectsQuery } from '../api/projects.ts'
import { Skeleton } from '../ui/Card.tsx'
import { inputClasses } from '../ui/Field.tsx'

/** Goes to the same section of another project. */
export function ProjectSwitcher({ projectId }: { projectId: string | undefined }) {
  const { data: projects } = useQuery(projectsQuery)
  const [location, navigate] = useLocation()
  if (!projects) return <Skeleton className="h-9" />
  const section = /^\/p\/[^/]+(\/(?:jobs|visitors|site|settings).*)?/.exec(location)?.[1] ?? ''
  // A job belongs to its project; in another one there is only the list of them.
  const kept = section.startsWith('/jobs') ? '/jobs' : section
  return (
    <select
      aria-label="Project"
      className={inputClasses}
      value={projectId ?? ''}
      onChange={({ target }) => navigate(target.value === 'new' ? '/projects/new' : `/p/${target.value}${kept}`)}
    >
      {!projects.some(({ id }) => id === projectId) && <option value="">Choose a project</option>}
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value="new">New project…</option>
    </select>
  )
}
