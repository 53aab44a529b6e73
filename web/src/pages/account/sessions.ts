import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'
import { optimistic } from '../../api/optimistic.ts'

export const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => api.listSessions() })

/** Ends these sessions of one's own, one after the other; one that has ended by itself meanwhile is as good. */
export function useEndSessions() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const sessionId of ids) {
        await api.revokeSession({ path: { sessionId } }).catch((error) => {
          if (error.code !== 'session.not_found') throw error
        })
      }
    },
    ...optimistic<Operations['listSessions']['answer'], readonly string[]>(queries, {
      queryKey: sessionsQuery.queryKey,
      change: ({ sessions }, ended) => ({ sessions: sessions.filter(({ id }) => !ended.includes(id)) }),
    }),
  })
}
