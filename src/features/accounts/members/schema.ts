import { z } from 'zod'
import { Timestamp } from '#infra/http/schema.ts'
import { roles } from '../schema.ts'
import { Email, NewPassword, PersonName } from '../sessions/schema.ts'

/** What stands in a link that works once. What is none is never looked up. */
const Token = z
  .string()
  .min(1, 'expected the token of a link')
  .max(100, 'expected the token of a link')
  .meta({ description: 'What stands behind `token=` in the link.' })

export const Member = z
  .object({
    id: z.string().meta({ description: 'Id of the user.' }),
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    createdAt: Timestamp.meta({ description: 'When they joined.' }),
    lastSeenAt: Timestamp.nullable().meta({ description: 'To within a minute.' }),
  })
  .meta({ id: 'Member' })
export type Member = z.output<typeof Member>

export const MemberList = z.object({ members: z.array(Member) })
export const MemberParams = z.object({ memberId: z.string() })
export const MemberChange = z.object({ role: z.enum(roles) })

export const Invitation = z
  .object({
    id: z.string(),
    email: z.string().nullable().meta({ description: 'Who may take it. Null: whoever has the link.' }),
    role: z.enum(roles),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    invitedBy: z.string(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.output<typeof Invitation>

export const InvitationList = z.object({ invitations: z.array(Invitation) })
export const InvitationParams = z.object({ invitationId: z.string() })

export const NewInvitation = z.object({
  email: Email.nullable()
    .default(null)
    .meta({ description: 'The only address that can take it. Null: whoever has the link.' }),
  role: z.enum(roles),
})
export type NewInvitation = z.output<typeof NewInvitation>

export const CreatedInvitation = Invitation.extend({
  url: z.string().meta({ description: 'The link to give to them. This is the only time it is shown; it works once.' }),
}).meta({ id: 'CreatedInvitation' })

export const InvitationToken = z.object({ token: Token })

export const InvitationOffer = z.object({
  organization: z.string().meta({ description: 'Name of the organization.' }),
  role: z.enum(roles),
  email: z.string().nullable(),
  invitedBy: z.string(),
})
export type InvitationOffer = z.output<typeof InvitationOffer>

/** Of the setup link and of an invitation alike. */
export const NewUser = z.object({ token: Token, name: PersonName, email: Email, password: NewPassword })
export type NewUser = z.output<typeof NewUser>

export const ChosenPassword = z.object({ token: Token, password: NewPassword })

export const OneTimeLink = z
  .object({ url: z.string().meta({ description: 'Works once.' }), expiresAt: Timestamp })
  .meta({ id: 'OneTimeLink' })
export type OneTimeLink = z.output<typeof OneTimeLink>
