import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink hover:bg-sunken border-line-strong/50',
  quiet: 'bg-transparent text-muted hover:text-ink hover:bg-sunken border-transparent',
  danger: 'bg-danger text-surface hover:opacity-90 border-transparent',
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  icon?: ReactNode
  /** Work that this button began is still going on. */
  isBusy?: boolean
}

/** How a button looks, for links that should look like one. */
export function buttonClasses(look: Look = 'plain'): string {
  return classes(
    'inline-flex min-h-9 items-center justify-center gap-1.5 rounded-lg border px-3 py-1.5 text-sm font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50',
    looks[look],
  )
}

export function Button({ look = 'plain', icon, isBusy = false, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      className={classes(buttonClasses(look), className)}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  )
}

/** A button with a picture alone; its name is for those who cannot see it, and shown on hover. */
export function IconButton({ label, children, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      {children}
    </button>
  )
}
