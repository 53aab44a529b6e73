import { useProject } from '../../api/projects.ts'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { AgentLimitsCard } from './AgentLimitsCard.tsx'
import { DeleteProjectCard } from './DeleteProjectCard.tsx'
import { ModelCard } from './ModelCard.tsx'
import { NameCard } from './NameCard.tsx'
import { OpenPathsCard } from './OpenPathsCard.tsx'
import { PushHookCard } from './PushHookCard.tsx'
import { SettingsHeader } from './SettingsHeader.tsx'
import { SourceCard } from './SourceCard.tsx'
import { TokenCard } from './TokenCard.tsx'

/** Where a project's files come from, and what works on them. */
export default function SettingsPage() {
  const { data: project, isPending, isError, error, refetch } = useProject()
  return (
    <>
      <SettingsHeader />
      {isPending && <SkeletonLines count={8} label="Loading the settings" />}
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {project && (
        <div key={project.id} className="flex max-w-3xl flex-col gap-6">
          <NameCard project={project} />
          <SourceCard project={project} />
          {project.source.provider !== 'builtin' && <TokenCard project={project} />}
          {project.source.provider !== 'builtin' && <PushHookCard project={project} />}
          <ModelCard project={project} />
          <AgentLimitsCard />
          <OpenPathsCard project={project} />
          <DeleteProjectCard project={project} />
        </div>
      )}
    </>
  )
}
