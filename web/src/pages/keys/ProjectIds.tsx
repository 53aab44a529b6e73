import { useQuery } from '@tanstack/react-query'
import type { Project } from '../../api/client.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useShownProject } from '../../api/shown-project.ts'
import { Badge, Card, SkeletonLines } from '../../ui/Card.tsx'
import { CodeLine, CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../ui/Table.tsx'

/** The ids that addresses of the API have in the place of `{projectId}`. */
export function ProjectIds() {
  const projects = useQuery(projectsQuery)
  const shown = useShownProject()
  const [first, ...others] = projects.data ?? []
  return (
    <Card
      title={others.length > 0 ? 'Project ids' : 'Project id'}
      description={
        <>
          What stands for <code className="font-mono text-xs">{'{projectId}'}</code> in addresses of the API.
        </>
      }
    >
      {projects.isError && <ErrorNote error={projects.error} onRetry={() => projects.refetch()} />}
      {projects.isPending && <SkeletonLines count={1} label="Loading projects" />}
      {projects.data && !first && <p className="text-sm text-muted">There is no project yet.</p>}
      {first && others.length === 0 && (
        <div className="flex flex-col gap-1.5">
          <p className="text-sm font-medium">{first.name}</p>
          <CodeLine code={first.id} label="Copy the project id" />
        </div>
      )}
      {first && others.length > 0 && (
        <Table
          caption="Projects and their ids"
          columns={columns(shown)}
          rows={currentFirst([first, ...others], shown)}
          rowKey={({ id }) => id}
        />
      )}
    </Card>
  )
}

function currentFirst(projects: Project[], shown: string | undefined): Project[] {
  return projects.toSorted((one, other) => Number(other.id === shown) - Number(one.id === shown))
}

const columns = (shown: string | undefined): Column<Project>[] => [
  {
    name: 'project',
    header: 'Project and its id',
    cell: ({ id, name }) => (
      <>
        <span className="flex items-center gap-2 font-medium">
          {name} {id === shown && <Badge tone="accent">current</Badge>}
        </span>
        <code className="font-mono text-xs text-muted">{id}</code>
      </>
    ),
  },
  {
    name: 'copy',
    header: <span className="sr-only">Copy</span>,
    className: 'py-1 text-right',
    cell: ({ id, name }) => <CopyButton text={id} label={`Copy the id of ${name}`} isIconOnly />,
  },
]
