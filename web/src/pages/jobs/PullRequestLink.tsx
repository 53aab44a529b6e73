import { GitPullRequest } from 'lucide-react'
import { buttonClasses } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'

/** `Pull request #3`, by the number that its address ends with. */
export function pullRequestName(link: string): string {
  const number = /\/(\d+)\/?$/.exec(link)?.[1]
  return number ? `Pull request #${number}` : 'Pull request'
}

/** In a tab of its own: it is another place, on most hosts another site. */
export function PullRequestLink({ link, isButton = false }: { link: string; isButton?: boolean }) {
  // Whatever a host answered with: an address of another kind would be a script.
  if (!/^https?:\/\//.test(link)) return null
  return (
    <a
      href={link}
      target="_blank"
      rel="noreferrer"
      className={classes(
        isButton
          ? buttonClasses('primary')
          : 'inline-flex items-center gap-1 font-medium text-accent-strong underline-offset-2 hover:underline',
      )}
    >
      <GitPullRequest aria-hidden className="size-4 shrink-0" />
      {pullRequestName(link)}
    </a>
  )
}
