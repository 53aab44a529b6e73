import { type ReactNode, useEffect } from 'react'

/** What stands around the pages of people who are not signed in yet. */
export function EntryPage({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <main className="flex min-h-screen items-center justify-center p-4">
      <div className="flex w-full max-w-md flex-col gap-5 rounded-2xl border bg-surface p-6 shadow-sm sm:p-8">
        <img src="/app/favicon.svg" alt="Docent" className="size-9" />
        <div>
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {description && <p className="mt-1 text-sm text-muted">{description}</p>}
        </div>
        {children}
      </div>
    </main>
  )
}

/** The secret of a one-time link: after the #, so that no server and no log sees it. */
export function linkToken(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
}
