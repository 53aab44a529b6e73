import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

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
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
}
