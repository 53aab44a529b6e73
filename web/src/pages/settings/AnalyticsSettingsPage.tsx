import { useProjectId } from '../../api/projects.ts'
import { SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { useAnalyticsSettings } from './analytics-queries.ts'
import { CountingCard } from './CountingCard.tsx'
import { ExportCard } from './ExportCard.tsx'
import { ForgetVisitorCard } from './ForgetVisitorCard.tsx'
import { OriginsCard } from './OriginsCard.tsx'
import { RulesCard } from './RulesCard.tsx'
import { SettingsHeader } from './SettingsHeader.tsx'

/** How readers are counted and what is kept of them. */
export default function AnalyticsSettingsPage() {
  const { data: settings, isPending, isError, error, refetch } = useAnalyticsSettings()
  const projectId = useProjectId()
  return (
    <>
      <SettingsHeader />
      {isPending && <SkeletonLines count={8} label="Loading the settings" />}
      {isError && <ErrorNote error={error} onRetry={() => refetch()} />}
      {settings && (
        <div key={projectId} className="flex max-w-3xl flex-col gap-6">
          <CountingCard settings={settings} />
          <RulesCard settings={settings} />
          <OriginsCard settings={settings} />
          <ExportCard />
          <ForgetVisitorCard />
        </div>
      )}
    </>
  )
}
