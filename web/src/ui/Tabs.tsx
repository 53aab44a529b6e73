import { Link, useLocation } from 'wouter'
import { classes } from './classes.ts'

/** Pages that belong together, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly { href: string; title: string }[] }) {
  const [location] = useLocation()
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b">
      {tabs.map(({ href, title }) => (
        <Link
          key={href}
          href={href}
          aria-current={location === href ? 'page' : undefined}
          className={classes(
            '-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap',
            location === href ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
