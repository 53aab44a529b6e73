import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { DocentError } from '#base/errors.ts'

/** Opens a session without a password, for whoever came by a link of ours. Called from here only: no route leads to it. */
export const sessionOpener = {
  id: 'docent-session-opener',
  endpoints: {
    openSession: createAuthEndpoint(
      '/docent/open-session',
      { method: 'POST', body: z.object({ userId: z.string() }), metadata: { SERVER_ONLY: true } },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const user = await internalAdapter.findUserById(ctx.body.userId)
        const session = user && (await internalAdapter.createSession(user.id))
        if (!session) throw new DocentError('not_found', 'account.not_found', 'There is no such account any more.')
        await setSessionCookie(ctx, { session, user })
        return { id: session.id }
      },
    ),
  },
} satisfies BetterAuthPlugin
