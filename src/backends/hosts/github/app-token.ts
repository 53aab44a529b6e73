import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { HostRequest } from '../host-request.ts'
import { Installation, InstallationToken, Repository } from './schema.ts'

interface AppAccess {
  app: { appId: string; privateKey: string }
  repository: { owner: string; name: string }
  /** Without a credential of its own: each call here brings one. */
  request: HostRequest
  clock: Clock
}

/** What an agent job does, and nothing more. */
const permissions = { contents: 'write', pull_requests: 'write' }
const permission = 'to be of a GitHub App with "Contents: write" and "Pull requests: write"'
// A token lives for an hour. It must still be good for a long push after it was given out.
const leastLifeMs = 10 * 60_000

/**
 * Tokens of a GitHub App for one repository, narrowed to it and to what an agent job does; a new one shortly before the
 * last one ends. Throws `forbidden` `host.permission_missing` where the app is not installed or may not do that.
 */
export function createAppToken({ app, repository, request, clock }: AppAccess): () => Promise<string> {
  const key = parseKey(app.privateKey)
  let current: { token: string; endsAt: number } | null = null

  return async () => {
    if (current && current.endsAt - clock.now().getTime() > leastLifeMs) return current.token
    const installation = await findInstallation()
    const named = await createToken(installation, { repositories: [repository.name], permissions })
    // A renamed repository is not known by the old name here, though everywhere else.
    const made =
      named ?? (await createToken(installation, { repository_ids: [await findId(installation)], permissions }))
    if (!made) throw missing('was not given those permissions; its owner must accept them')
    current = { token: made.token, endsAt: Date.parse(made.expires_at) }
    return current.token
  }

  async function findInstallation(): Promise<number> {
    const { owner, name } = repository
    const { id } = await request({
      path: `/repos/${owner}/${name}/installation`,
      schema: Installation,
      authorization: `Bearer ${signToken(app.appId, { key, now: clock.now() })}`,
      permission,
      explain: ({ status }) => (status === 404 ? missing(`is not installed on ${owner}/${name}`) : null),
    })
    return id
  }

  /** Null when GitHub does not give such a token. */
  async function createToken(
    installation: number,
    body: object,
  ): Promise<{ token: string; expires_at: string } | null> {
    const refused = new DocentError('invalid', 'host.request_refused', 'GitHub gives no such token.')
    try {
      return await request({
        method: 'POST',
        path: `/app/installations/${installation}/access_tokens`,
        body,
        schema: InstallationToken,
        authorization: `Bearer ${signToken(app.appId, { key, now: clock.now() })}`,
        permission,
        explain: ({ status }) => (status === 422 ? refused : null),
      })
    } catch (thrown) {
      if (thrown === refused) return null
      throw thrown
    }
  }

  async function findId(installation: number): Promise<number> {
    const reader = await createToken(installation, { permissions: { metadata: 'read' } })
    if (!reader) throw missing('may not read repositories')
    const { owner, name } = repository
    const authorization = `Bearer ${reader.token}`
    return (await request({ path: `/repos/${owner}/${name}`, schema: Repository, authorization, permission })).id
  }
}

function missing(what: string): DocentError {
  const message = `The GitHub App ${what}. Expected "Contents: write" and "Pull requests: write" on the repository.`
  return new DocentError('forbidden', 'host.permission_missing', message)
}

function parseKey(pem: string): KeyObject {
  try {
    // In an environment variable the line breaks are often written out.
    return createPrivateKey(pem.replaceAll('\\n', '\n'))
  } catch {
    // The cause might quote the key.
    const message = 'Expected githubAppKey to be the private key of the GitHub App (PEM). Copy it from its settings.'
    throw new DocentError('invalid', 'host.app_key_invalid', message)
  }
}

/** What an app says who it is with: good for nine minutes, and a minute back for clocks that differ. */
function signToken(appId: string, { key, now }: { key: KeyObject; now: Date }): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const parts = [
    { alg: 'RS256', typ: 'JWT' },
    { iat: seconds - 60, exp: seconds + 9 * 60, iss: appId },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = sign('sha256', Buffer.from(parts.join('.')), key)
  return [...parts, signature.toString('base64url')].join('.')
}
