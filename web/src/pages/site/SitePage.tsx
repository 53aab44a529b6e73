import { Rocket } from 'lucide-react'
import { api } from '../../api/api.ts'
import { useProjectId } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { PageHeader, SkeletonLines } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { AddressesCard } from './AddressesCard.tsx'
import { DeploymentsCard } from './DeploymentsCard.tsx'
import { DomainsCard } from './DomainsCard.tsx'
import { LiveCard } from './LiveCard.tsx'
import { PreviewsCard } from './PreviewsCard.tsx'
import { useSite, useSiteChange } from './site-queries.ts'

/** What readers get, how it came about, and where they find it. */
export default function SitePage() {
  const site = useSite()
  const projectId = useProjectId()
  return (
    <>
      <PageHeader
        title="Site"
        description="What readers get, what was published before, and where they find it."
        actions={<PublishButton />}
      />
      {site.isError && <ErrorNote error={site.error} onRetry={() => site.refetch()} />}
      {site.isPending && <SkeletonLines count={5} label="Loading the site" />}
      {site.data && (
        // Another project's forms and pages of lists are not this one's.
        <div key={projectId} className="flex flex-col gap-6">
          <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
            <LiveCard site={site.data} />
            <AddressesCard url={site.data.url} />
          </div>
          <DeploymentsCard />
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <PreviewsCard />
            <DomainsCard />
          </div>
        </div>
      )}
    </>
  )
}

function PublishButton() {
  const mayWrite = useMayWrite()
  const say = useToast()
  const publish = useSiteChange((_: undefined, projectId) => api.createDeployment({ path: { projectId }, body: {} }))
  const start = () =>
    publish.mutate(undefined, { onSuccess: () => say('On its way. Readers keep what they have until it is ready.') })
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        look="primary"
        icon={<Rocket aria-hidden className="size-4" />}
        isBusy={publish.isPending}
        disabled={!mayWrite}
        title={mayWrite ? 'Publishes the project’s branch as it is, also when it is live already.' : readOnlyReason}
        onClick={start}
      >
        Publish now
      </Button>
      {publish.isError && <ErrorNote error={publish.error} />}
    </div>
  )
}
