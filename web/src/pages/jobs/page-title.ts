import { useEffect } from 'react'

/** What the browser's tab says. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Docent`
    return () => {
      document.title = 'Docent'
    }
  }, [title])
}
