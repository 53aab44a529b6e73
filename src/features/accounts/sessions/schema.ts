import { z } from 'zod'
import { plainText, Timestamp } from '#infra/http/schema.ts'
import { roles } from '../schema.ts'

// RFC 5321 ends a path at 256 characters, with its brackets.
const mostEmail = 254

/** In lower case: two spellings of one mailbox are one person. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(mostEmail, `expected at most ${mostEmail} characters`)
  .pipe(z.email({ error: 'expected an e-mail address such as ana@example.com' }))
  .meta({ type: 'string', format: 'email', maxLength: mostEmail })

const [leastPassword, mostPassword] = [10, 128]
const passwordLength = `expected ${leastPassword} to ${mostPassword} characters`

/** One that is chosen now. */
export const NewPassword = z
  .string()
  .min(leastPassword, passwordLength)
  .max(mostPassword, passwordLength)
  .refine((text) => text.isWellFormed(), 'expected Unicode text')
  .meta({ description: `A password of ${leastPassword} to ${mostPassword} characters.` })

/** One that was chosen before: how it was made does not matter any more. */
export const GivenPassword = z.string().min(1, 'expected a password').max(mostPassword, passwordLength)

export const PersonName = plainText({ min: 1, max: 100 })

export const SessionState = z
  .object({
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .meta({ description: 'Who is signed in. Null: nobody.' }),
    organization: z
      .object({ id: z.string(), name: z.string(), slug: z.string() })
      .nullable()
      .meta({ description: 'What they are a member of.' }),
    role: z.enum(roles).nullable().meta({ description: 'What they may do there; `viewer` may only read.' }),
    setupNeeded: z
      .boolean()
      .meta({ description: 'Whether nobody owns this server yet: its log has a link that makes the first owner.' }),
    oidc: z
      .object({ name: z.string() })
      .nullable()
      .meta({ description: 'The provider that people can sign in with, at `/v1/session/oidc`.' }),
    version: z.string().meta({ description: 'Version of this server.' }),
  })
  .meta({ id: 'SessionState' })
export type SessionState = z.output<typeof SessionState>

export const SignIn = z.object({ email: Email, password: GivenPassword })

export const Session = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'Whether this request came with it.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'To within a minute.' }),
    expiresAt: Timestamp.meta({ description: 'When it ends, unless it is used before.' }),
    userAgent: z.string().nullable().meta({ description: 'What the browser called itself.' }),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

export const SessionList = z.object({ sessions: z.array(Session) })

export const AccountChange = z.object({
  name: PersonName.optional(),
  password: z
    .object({ current: GivenPassword, next: NewPassword })
    .optional()
    .meta({ description: 'A new password; all other sessions of yours end.' }),
})
export type AccountChange = z.output<typeof AccountChange>
