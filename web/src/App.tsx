import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { SessionContext, sessionQuery } from './api/session.ts'
import { EntryPage } from './pages/entry/EntryPage.tsx'
import { InvitationPage } from './pages/entry/InvitationPage.tsx'
import { PasswordPage } from './pages/entry/PasswordPage.tsx'
import { SetupPage } from './pages/entry/SetupPage.tsx'
import { SignInPage } from './pages/entry/SignInPage.tsx'
import { PageFault } from './shell/PageFault.tsx'
import { Shell } from './shell/Shell.tsx'
import { SkeletonLines } from './ui/Card.tsx'
import { ErrorNote } from './ui/ErrorNote.tsx'

// Each page comes when it is first opened, and its charts with it.
const HomePage = lazy(() => import('./pages/home/HomePage.tsx'))
const NewProjectPage = lazy(() => import('./pages/home/NewProjectPage.tsx'))
const OverviewPage = lazy(() => import('./pages/overview/OverviewPage.tsx'))
const JobsPage = lazy(() => import('./pages/jobs/JobsPage.tsx'))
const JobPage = lazy(() => import('./pages/jobs/JobPage.tsx'))
const VisitorsPage = lazy(() => import('./pages/visitors/VisitorsPage.tsx'))
const SitePage = lazy(() => import('./pages/site/SitePage.tsx'))
const SettingsPage = lazy(() => import('./pages/settings/SettingsPage.tsx'))
const WebhooksPage = lazy(() => import('./pages/settings/WebhooksPage.tsx'))
const AnalyticsSettingsPage = lazy(() => import('./pages/settings/AnalyticsSettingsPage.tsx'))
const KeysPage = lazy(() => import('./pages/keys/KeysPage.tsx'))
const MembersPage = lazy(() => import('./pages/members/MembersPage.tsx'))
const AccountPage = lazy(() => import('./pages/account/AccountPage.tsx'))

export function App() {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <SkeletonLines count={3} />
  if (session.isError) {
    return (
      <EntryPage title="Docent cannot be reached">
        <ErrorNote error={session.error} onRetry={() => session.refetch()} />
      </EntryPage>
    )
  }
  return (
    <SessionContext value={session.data}>
      <Switch>
        <Route path="/setup" component={SetupPage} />
        <Route path="/invitation" component={InvitationPage} />
        <Route path="/password" component={PasswordPage} />
        <Route path="/sign-in" component={SignInPage} />
        <Route>{session.data.user ? <SignedIn /> : <ToSignIn />}</Route>
      </Switch>
    </SessionContext>
  )
}

/** Signing in leads back to the page that was asked for. */
function ToSignIn() {
  const [location] = useLocation()
  return <Redirect to={location === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(location)}`} replace />
}

function SignedIn() {
  const [location] = useLocation()
  return (
    <Shell>
      {/* A fault of one page leaves the others; going elsewhere clears it. */}
      <PageFault key={location}>
        <Suspense fallback={<SkeletonLines count={6} label="Loading the page" />}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/projects/new" component={NewProjectPage} />
            <Route path="/p/:projectId" component={OverviewPage} />
            <Route path="/p/:projectId/jobs" component={JobsPage} />
            <Route path="/p/:projectId/jobs/:jobId" component={JobPage} />
            <Route path="/p/:projectId/visitors" component={VisitorsPage} />
            <Route path="/p/:projectId/site" component={SitePage} />
            <Route path="/p/:projectId/settings" component={SettingsPage} />
            <Route path="/p/:projectId/settings/webhooks" component={WebhooksPage} />
            <Route path="/p/:projectId/settings/analytics" component={AnalyticsSettingsPage} />
            <Route path="/keys" component={KeysPage} />
            <Route path="/members" component={MembersPage} />
            <Route path="/account" component={AccountPage} />
            <Route>
              <ErrorNote error="There is no such page. Choose one on the left." />
            </Route>
          </Switch>
        </Suspense>
      </PageFault>
    </Shell>
  )
}
