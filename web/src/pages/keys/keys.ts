import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Operations } from '../../api/client.ts'

export type NewKey = Operations['createKey']['body']
export const keysPerPage = 50

export const keysQuery = (page: { includeRevoked: boolean; offset: number }) =>
  queryOptions({
    queryKey: ['keys', page],
    queryFn: () =>
      api.listKeys({
        query: { limit: keysPerPage, offset: page.offset, includeRevoked: page.includeRevoked ? 'true' : 'false' },
      }),
    // The switch and the pager leave what is shown until the next list is there.
    placeholderData: (shown) => shown,
  })

export function useCreateKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: NewKey) => api.createKey({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
}

/** Not shown as done before it is: whoever revokes a key relies on it. */
export function useRevokeKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => api.revokeKey({ path: { keyId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
}
