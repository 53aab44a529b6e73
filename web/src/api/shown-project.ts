import { useEffect } from 'react'
import { useLocation } from 'wouter'

const lastProjectKey = 'docent.project'

/** The project of the address or, on pages of the organization, the one that was last looked at. */
export function useShownProject(): string | undefined {
  const [location] = useLocation()
  const own = /^\/p\/([^/]+)/.exec(location)?.[1]
  useEffect(() => {
    if (own) sessionStorage.setItem(lastProjectKey, own)
  }, [own])
  return own ?? sessionStorage.getItem(lastProjectKey) ?? undefined
}
