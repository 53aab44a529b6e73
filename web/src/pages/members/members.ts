import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import type { Member, Operations } from '../../api/client.ts'
import { optimistic } from '../../api/optimistic.ts'
import type { Role } from '../../api/session.ts'

type MemberList = Operations['listMembers']['answer']
interface RoleChange {
  id: string
  role: Role
}

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

/** Shown at once, and taken back if the server says no. One's own role changes what the page may do, so it is asked for again. */
export function useChangeRole() {
  const queries = useQueryClient()
  const { onSettled, ...shown } = optimistic<MemberList, RoleChange>(queries, {
    queryKey: membersQuery.queryKey,
    change: ({ members }, { id, role }) => ({
      members: members.map((member) => (member.id === id ? { ...member, role } : member)),
    }),
  })
  return useMutation({
    mutationFn: ({ id, role }: RoleChange) => api.changeMember({ path: { memberId: id }, body: { role } }),
    ...shown,
    onSettled: () => Promise.all([onSettled(), queries.invalidateQueries({ queryKey: ['session'] })]),
  })
}

export const useRemoveMember = () => useMembersMutation((memberId: string) => api.removeMember({ path: { memberId } }))

export const useInvite = () =>
  useMembersMutation((body: { email: string | null; role: Role }) => api.createInvitation({ body }))

export const useRevokeInvitation = () =>
  useMembersMutation((invitationId: string) => api.revokeInvitation({ path: { invitationId } }))

export const useCreatePasswordLink = () =>
  useMembersMutation((memberId: string) => api.createPasswordLink({ path: { memberId } }))
