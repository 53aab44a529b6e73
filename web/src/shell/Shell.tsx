import { useQuery } from '@tanstack/react-query'
import {
  BookOpen,
  Bot,
  ChartLine,
  CircleUser,
  Globe,
  House,
  KeyRound,
  LogOut,
  Menu,
  Settings,
  SquareTerminal,
  Users,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { projectsQuery } from '../api/projects.ts'
import { useSession, useSignOut } from '../api/session.ts'
import { useShownProject } from '../api/shown-project.ts'
import { IconButton } from '../ui/Button.tsx'
import { Badge } from '../ui/Card.tsx'
import { classes } from '../ui/classes.ts'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { ThemeButton } from './ThemeButton.tsx'

interface Place {
  href: string
  title: string
  Picture: typeof House
  /** Whether pages below it count as it. */
  hasPages?: boolean
}

const projectPlaces = (id: string): Place[] => [
  { href: `/p/${id}`, title: 'Overview', Picture: House },
  { href: `/p/${id}/jobs`, title: 'Jobs', Picture: Bot, hasPages: true },
  { href: `/p/${id}/visitors`, title: 'Visitors', Picture: ChartLine },
  { href: `/p/${id}/site`, title: 'Site', Picture: Globe },
  { href: `/p/${id}/settings`, title: 'Settings', Picture: Settings, hasPages: true },
]

const organizationPlaces: Place[] = [
  { href: '/keys', title: 'API keys', Picture: KeyRound },
  { href: '/members', title: 'Members', Picture: Users },
  { href: '/account', title: 'Your account', Picture: CircleUser },
]

/** What stands around every page of a signed-in person. */
export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu of narrow screens.
  useEffect(() => setOpen(false), [location])
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[15.5rem_1fr]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:p-2"
      >
        Skip to the page
      </a>
      <header className="sticky top-0 z-30 flex items-center justify-between border-b bg-surface px-4 py-2 lg:hidden">
        <Wordmark />
        <IconButton
          label={isOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
        </IconButton>
      </header>
      <SideBar isOpen={isOpen} />
      <main id="main" tabIndex={-1} className="min-w-0 outline-none">
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-8">{children}</div>
      </main>
    </div>
  )
}

function SideBar({ isOpen }: { isOpen: boolean }) {
  const projectId = useShownProject()
  // The demo project is the manual, until somebody deletes it.
  const manual = useQuery(projectsQuery).data?.find(({ isDemo }) => isDemo)
  return (
    <aside
      aria-label="Side bar"
      className={classes(
        'flex-col gap-5 border-r bg-surface p-4 lg:sticky lg:top-0 lg:flex lg:h-screen lg:overflow-y-auto',
        isOpen ? 'fixed inset-x-0 top-[3.3rem] bottom-0 z-20 flex overflow-y-auto' : 'hidden',
      )}
    >
      <div className="hidden lg:block">
        <Wordmark />
      </div>
      <ProjectSwitcher projectId={projectId} />
      <nav aria-label="Dashboard" className="flex flex-1 flex-col gap-5">
        {projectId && <Places places={projectPlaces(projectId)} />}
        <div className="flex flex-col gap-1">
          <p className="px-2.5 text-xs font-medium text-muted">Organization</p>
          <Places places={organizationPlaces} />
        </div>
        <div className="mt-auto flex flex-col gap-0.5 text-sm">
          <OutsideLink href="/reference" title="API reference" Picture={SquareTerminal} />
          {manual && <OutsideLink href={manual.siteUrl} title="Manual" Picture={BookOpen} />}
        </div>
      </nav>
      <Person />
    </aside>
  )
}

function Wordmark() {
  return (
    <Link href="/" className="flex items-center gap-2 px-1 font-semibold tracking-tight">
      <img src="/app/favicon.svg" alt="" className="size-6" />
      Docent
    </Link>
  )
}

function Places({ places }: { places: Place[] }) {
  const [location] = useLocation()
  return (
    <ul className="flex flex-col gap-0.5">
      {places.map(({ href, title, Picture, hasPages }) => {
        const isHere = location === href || (hasPages && location.startsWith(`${href}/`))
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={isHere ? 'page' : undefined}
              className={classes(
                'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm font-medium',
                isHere ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:bg-sunken hover:text-ink',
              )}
            >
              <Picture aria-hidden className="size-4 shrink-0" />
              {title}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function OutsideLink({ href, title, Picture }: Place) {
  return (
    <a
      href={href}
      className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-muted hover:bg-sunken hover:text-ink"
    >
      <Picture aria-hidden className="size-4 shrink-0" />
      {title}
    </a>
  )
}

function Person() {
  const session = useSession()
  const signOut = useSignOut()
  if (!session.user) return null
  return (
    <div className="flex items-center gap-2 border-t pt-3">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{session.user.name}</p>
        <p className="flex items-center gap-1.5 truncate text-xs text-muted">
          <Badge>{session.role}</Badge>
          <span className="truncate">{session.organization?.name}</span>
        </p>
      </div>
      <ThemeButton />
      <IconButton label="Sign out" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        <LogOut aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}
