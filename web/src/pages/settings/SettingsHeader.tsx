import { useProjectId } from '../../api/projects.ts'
import { readOnlyReason, useMayWrite } from '../../api/session.ts'
import { PageHeader } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'

/** The top of each page of a project's settings. */
export function SettingsHeader() {
  const settings = `/p/${useProjectId()}/settings`
  const mayWrite = useMayWrite()
  const tabs = [
    { href: settings, title: 'General' },
    { href: `${settings}/webhooks`, title: 'Webhooks' },
    { href: `${settings}/analytics`, title: 'Analytics' },
  ]
  return (
    <>
      <PageHeader title="Settings" description="Of this project. Each part is saved on its own." />
      <Tabs label="Settings" tabs={tabs} />
      {!mayWrite && <p className="rounded-lg border bg-sunken px-4 py-3 text-sm">{readOnlyReason}</p>}
    </>
  )
}
