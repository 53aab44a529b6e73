import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * For a change whose outcome is known beforehand and which can be taken back: shows it at once, puts back what was there if
 * the server says no, and asks again in either case. Not for what opens or closes a door, such as a key: that is said when it is true.
 */
export function optimistic<Data, Input>(
  queries: QueryClient,
  { queryKey, change }: { queryKey: QueryKey; change(data: Data, input: Input): Data },
) {
  return {
    async onMutate(input: Input): Promise<{ before: Data | undefined }> {
      // An answer that is on its way would show what was before.
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<Data>(queryKey)
      if (before !== undefined) queries.setQueryData<Data>(queryKey, change(before, input))
      return { before }
    },
    onError(_error: unknown, _input: Input, context: { before: Data | undefined } | undefined): void {
      if (context?.before !== undefined) queries.setQueryData<Data>(queryKey, context.before)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  }
}
