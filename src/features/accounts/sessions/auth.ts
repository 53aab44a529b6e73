import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { DocentError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import type { PasswordHasher } from './password-hash.ts'
import { sessionCookie } from './session-cookie.ts'

export const sessionDays = 30
// How much later than used a session may be noted as used: each note is a write, and a cookie sent anew.
const noteUseSeconds = 60
const mostUserAgent = 300

export interface AuthDeps {
  db: Db
  log: Log
  secretBox: SecretBox
  hasher: PasswordHasher
  config: { baseUrl: string }
}

/** What better-auth says of a cookie. */
export interface KnownSession {
  id: string
  userId: string
  /** Cookies to send along, where the session was prolonged. */
  setCookies: string[]
}

/** Sessions and their cookies, as better-auth makes them. */
export interface Auth {
  /** Opens a session for whoever has this password: its cookies. Null: no such user, or another password. */
  signIn(input: { email: string; password: string; userAgent: string | undefined }): Promise<string[] | null>
  /** Opens a session for a user who has shown in another way who they are: its cookies. */
  openSession(input: { userId: string; userAgent: string | undefined }): Promise<string[]>
  /** The session of a cookie, prolonged when it is used. Null: unknown, ended or not signed by us. */
  findSession(cookie: string): Promise<KnownSession | null>
}

/** better-auth is loaded by the first sign-in: it is as large as half of the rest, and a node may never need it. */
export function createAuth(deps: AuthDeps): Auth {
  let opened: ReturnType<typeof openBetterAuth> | undefined
  const open = () => (opened ??= openBetterAuth(deps))

  return {
    async signIn({ email, password, userAgent }) {
      const { api } = await open()
      try {
        const { headers } = await api.signInEmail({
          body: { email, password },
          headers: headersOf({ 'user-agent': userAgent?.slice(0, mostUserAgent) }),
          returnHeaders: true,
        })
        return headers.getSetCookie()
      } catch (error) {
        if (isRefusal(error)) return null
        throw unavailable(error)
      }
    },
    async openSession({ userId, userAgent }) {
      const { api } = await open()
      const { headers } = await api.openSession({
        body: { userId },
        headers: headersOf({ 'user-agent': userAgent?.slice(0, mostUserAgent) }),
        returnHeaders: true,
      })
      return headers.getSetCookie()
    },
    async findSession(cookie) {
      const { api } = await open()
      try {
        const { response, headers } = await api.getSession({
          headers: headersOf({ cookie: `${sessionCookie}=${cookie}` }),
          returnHeaders: true,
        })
        if (!response) return null
        return { id: response.session.id, userId: response.user.id, setCookies: headers.getSetCookie() }
      } catch (error) {
        // It was ended while it was being prolonged.
        if (isRefusal(error)) return null
        throw unavailable(error)
      }
    },
  }
}

/** better-auth on our own tables. Nothing of it is reached over HTTP by itself: our routes call it. */
export async function openBetterAuth(deps: AuthDeps, more: BetterAuthPlugin[] = []) {
  const [{ betterAuth }, { getAdapter }, { sessionOpener }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/db/adapter'),
    import('./session-opener.ts'),
  ])
  const options = { ...betterAuthOptions(deps), plugins: [sessionOpener, ...more] as [typeof sessionOpener] }
  // Its own plugin would rename the columns once more. Without transactions, as one would hold PGlite's only connection.
  const database = { db: deps.db.withoutPlugins(), type: 'postgres', transaction: false } as const
  const adapter = await getAdapter({ ...options, database })
  return betterAuth({ ...options, database: () => adapter })
}

const renamed = { createdAt: 'created_at', updatedAt: 'updated_at' }
const prefixes: Record<string, 'usr' | 'ses' | 'acc'> = { user: 'usr', session: 'ses', account: 'acc' }

function betterAuthOptions({ log, secretBox, hasher, config }: AuthDeps) {
  const secret = secretBox.sign('session cookies', 'better-auth')
  return {
    appName: 'Docent',
    baseURL: config.baseUrl,
    basePath: '/v1/session',
    // As a list: a single one would give way to what better-auth finds in the environment.
    secrets: [{ version: 1, value: secret }],
    secret,
    telemetry: { enabled: false },
    // What else it adds to its messages may be what a caller typed.
    logger: {
      level: 'warn',
      log: (level, message, ...more) => {
        const err = more.find((part) => part instanceof Error)
        log[level === 'error' ? 'warn' : 'debug']({ message, err }, 'accounts.better_auth')
      },
    },
    emailAndPassword: { enabled: true, disableSignUp: true, password: hasher },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...renamed } },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...renamed,
      },
      expiresIn: sessionDays * 86_400,
      updateAge: noteUseSeconds,
    },
    account: {
      modelName: 'user_accounts',
      fields: {
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...renamed,
      },
      // Or a stranger could fill a table by asking for the provider's page again and again.
      storeStateStrategy: 'cookie',
      accountLinking: { requireLocalEmailVerified: false },
    },
    databaseHooks: {
      session: { create: { before: async (session) => ({ data: { ...session, ipAddress: null } }) } },
      account: {
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: 'docent',
      cookies: { session_token: { name: sessionCookie } },
      defaultCookieAttributes: { secure: config.baseUrl.startsWith('https:') },
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => newId(prefixes[model] ?? 'acc'), validateSchema: false },
    },
  } satisfies BetterAuthOptions
}

const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
}

/** The value of the session's cookie among those that are to be set. */
export function cookieOf(setCookies: string[]): string {
  const start = `${sessionCookie}=`
  const found = setCookies.find((cookie) => cookie.startsWith(start)) ?? start
  return found.slice(start.length).split(';')[0]!
}

export function headersOf(fields: Record<string, string | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) headers.set(name, value)
  return headers
}

/** Whether better-auth means the caller: it throws its own errors for those, with a status. */
function isRefusal(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: number }
  return statusCode === 400 || statusCode === 401 || statusCode === 403
}

/** A failure inside of it is one of the database: it says 500 and nothing more, but writes the cause to the log. */
function unavailable(error: unknown): DocentError {
  if (error instanceof DocentError) return error
  const message = 'Sessions cannot be looked up at the moment.'
  return new DocentError('unavailable', 'accounts.unavailable', message, { cause: error, retryAfterSeconds: 5 })
}
