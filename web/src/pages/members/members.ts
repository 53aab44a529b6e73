import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Member } from '../../api/client.ts'
import type { Role } from '../../api/session.ts'

export const membersQuery = queryOptions({ queryKey: ['members'], queryFn: () => api.listMembers() })
export const invitationsQuery = queryOptions({ queryKey: ['invitations'], queryFn: () => api.listInvitations() })

/** What each role may do, in one line each, as the server holds it. */
export const roleRules: Record<Role, string> = {
  owner: 'Everything, also making and removing owners. There is always at least one.',
  admin: 'Everything but owners: projects, keys, settings, jobs, and members that are no owners.',
  viewer: 'Looks at everything and changes nothing.',
}

/** The roles that somebody of this role may give. */
export function rolesToGive(own: Role | null): Role[] {
  return own === 'owner' ? ['viewer', 'admin', 'owner'] : ['viewer', 'admin']
}

/** Why a member's place cannot be changed, or null when it can. */
export function whyFixed(member: Member, members: readonly Member[], own: Role | null): string | null {
  if (member.role !== 'owner') return null
  if (own !== 'owner') return 'Only an owner can change or remove an owner.'
  const isLast = members.filter(({ role }) => role === 'owner').length === 1
  return isLast ? 'The only owner: make somebody else an owner first.' : null
}

function useMembersMutation<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all(
        [['members'], ['invitations'], ['session']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  })
}

export const useChangeRole = () =>
  useMembersMutation(({ id, role }: { id: string; role: Role }) =>
    api.changeMember({ path: { memberId: id }, body: { role } }),
  )

export const useRemoveMember = () => useMembersMutation((memberId: string) => api.removeMember({ path: { memberId } }))

export const useInvite = () =>
  useMembersMutation((body: { email: string | null; role: Role }) => api.createInvitation({ body }))

export const useRevokeInvitation = () =>
  useMembersMutation((invitationId: string) => api.revokeInvitation({ path: { invitationId } }))

export const useCreatePasswordLink = () =>
  useMembersMutation((memberId: string) => api.createPasswordLink({ path: { memberId } }))
