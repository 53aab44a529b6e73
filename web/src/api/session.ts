import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useLocation } from 'wouter'
import { api } from './api.ts'
import type { Operations } from './client.ts'

export type Session = Operations['getSession']['answer']
export type Role = NonNullable<Session['role']>

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: () => api.getSession(), staleTime: 60_000 })

/** The one that App holds: every part of the page must see the same, or two of them redirect to each other for ever. */
export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext around it.')
  return session
}

/** Whether this person may change anything: a viewer may not, by page or by API. */
export function useMayWrite(): boolean {
  const role = useSession().role
  return role === 'owner' || role === 'admin'
}

/** Words for whoever may not. */
export const readOnlyReason = 'Your role is viewer: you can look at everything and change nothing.'

/** Puts a session that an answer brought in its place, forgets whatever another person was shown, and goes to a page. */
export function useEnter(): (session: Session, path: string) => void {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  return (session, path) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    queries.setQueryData(sessionQuery.queryKey, session)
    navigate(path, { replace: true })
  }
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => api.signOut(),
    // A whole new page: nothing that was shown stays in its memory.
    onSuccess: () => window.location.assign('/app/sign-in'),
  })
}
