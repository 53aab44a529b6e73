import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { StoredPullRequest } from './vendor-repository.ts'
import {
  pageOf,
  startVendorServer,
  type Vendor,
  type VendorAnswer,
  type VendorCall,
  type VendorServer,
  type VendorServerOptions,
} from './vendor-server.ts'

// GitHub's REST API as these pages say, at the addresses of an Enterprise Server:
// https://docs.github.com/en/rest/pulls/pulls
// https://docs.github.com/en/rest/repos/repos#get-a-repository
// https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api (redirects)

export interface GitHubServerOptions extends VendorServerOptions {
  /** Private repositories of a free plan have no draft pull requests. */
  supportsDrafts?: boolean
  app?: {
    id: string
    publicKey: string
    /** What its installation was given; without any it is not installed. */
    permissions?: Record<string, 'read' | 'write'>
    now: () => Date
  }
}

export interface GitHubServer extends VendorServer {
  /** What the GitHub App asked for, each time. */
  tokenRequests: Record<string, unknown>[]
}

const installationId = 4711
const documentation_url = 'https://docs.github.com/rest'
const notFound: VendorAnswer = { status: 404, body: { message: 'Not Found', documentation_url } }

export async function startGitHubServer(options: GitHubServerOptions = {}): Promise<GitHubServer> {
  const { supportsDrafts = true, app } = options
  const tokenRequests: Record<string, unknown>[] = []
  const vendor: Vendor = {
    name: 'github',
    apiPath: '/api/v3',
    protectedWords: 'error: GH006: Protected branch update failed',
    tokenOf: ({ authorization }) => /^(?:bearer|token) (.+)$/i.exec(authorization ?? '')?.[1] ?? null,
    gitTokenOf: ({ username, password }) => (username === 'x-access-token' ? password : null),
    isDraft: ({ draft }) => draft,
    pageOf: ({ origin, path }, number) => `${origin}/${path}/pull/${number}`,
    refusals: {
      unauthenticated: { status: 401, body: { message: 'Bad credentials', documentation_url } },
      anonymous: notFound,
      forbidden: {
        status: 403,
        headers: { 'x-accepted-github-permissions': 'pull_requests=write' },
        body: { message: 'Resource not accessible by personal access token', documentation_url, status: '403' },
      },
      notFound,
      failing: { status: 502, body: { message: 'Server Error' } },
      limited: {
        status: 403,
        headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '{reset}' },
        body: { message: 'API rate limit exceeded for user ID 1.', documentation_url },
      },
    },
    routePublic: (call) => (app ? routeApp(call, { app, tokenRequests }) : null),
    route: (call) => route(call, { supportsDrafts, forbidden: vendor.refusals.forbidden }),
  }
  return Object.assign(await startVendorServer(vendor, options), { tokenRequests })
}

async function route(
  call: VendorCall,
  { supportsDrafts, forbidden }: { supportsDrafts: boolean; forbidden: VendorAnswer },
): Promise<VendorAnswer | null> {
  const { method, query, body, access, server } = call
  const moved = redirect(call)
  if (moved) return moved
  const rest = below(call)
  const { repository } = server
  if (rest === '') return { status: 200, body: repositoryAnswer(server) }
  if (rest === '/pulls' && method === 'GET') {
    const [owner, branch] = query.get('head')?.split(/:(.*)/s) ?? []
    const isOwner = owner === server.path.split('/')[0]
    const found = repository.pullRequests.filter(
      (pull) =>
        (branch === undefined || (pull.branch === branch && (pull.isFromFork || isOwner))) &&
        (!query.has('base') || pull.base === query.get('base')) &&
        (query.get('state') === 'all' || stateOf(pull) === (query.get('state') ?? 'open')),
    )
    const ordered = query.get('direction') === 'asc' ? found : found.toReversed()
    return { status: 200, body: pageOf(ordered, query, 'per_page').map((pull) => pullAnswer(server, pull)) }
  }
  if (rest === '/pulls' && method === 'POST') {
    if (access !== 'write') return forbidden
    return create(server, body, supportsDrafts)
  }
  const number = /^\/pulls\/(\d+)$/.exec(rest ?? '')?.[1]
  const pull = repository.pullRequests.find((one) => String(one.number) === number)
  if (!pull) return null
  if (method === 'PATCH') {
    if (access !== 'write') return forbidden
    Object.assign(pull, { title: body.title ?? pull.title, body: body.body ?? pull.body })
  }
  return { status: 200, body: pullAnswer(server, pull) }
}

/** What follows the repository in the path; null when it is another repository. */
function below({ path, server }: VendorCall): string | null {
  const bases = [`/repos/${server.path}`, `/repositories/${server.repositoryId}`]
  const base = bases.find((one) => path === one || path.startsWith(`${one}/`))
  return base === undefined ? null : path.slice(base.length)
}

/** A renamed repository answers under its number. */
function redirect({ method, path, query, server }: VendorCall): VendorAnswer | null {
  const rest = /^\/repos\/acme\/docs(\/.*)?$/.exec(path)
  if (!rest || server.path === 'acme/docs') return null
  const search = query.size > 0 ? `?${query}` : ''
  const location = `${server.apiUrl}/repositories/${server.repositoryId}${rest[1] ?? ''}${search}`
  const body = { message: 'Moved Permanently', url: location, documentation_url }
  return { status: method === 'GET' ? 301 : 307, headers: { location }, body }
}

async function create(
  server: VendorServer,
  body: Record<string, unknown>,
  supportsDrafts: boolean,
): Promise<VendorAnswer> {
  const { repository } = server
  const { head, base, title } = body as Record<'head' | 'base' | 'title', string>
  const invalid = (error: object): VendorAnswer => ({
    status: 422,
    body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', ...error }], documentation_url },
  })
  if (body.draft && !supportsDrafts) {
    const message = 'Draft pull requests are not supported in this repository.'
    return { status: 422, body: { message, documentation_url } }
  }
  const heads = { head: await repository.findHead(head), base: await repository.findHead(base) }
  if (!heads.head) return invalid({ field: 'head', code: 'invalid' })
  if (!heads.base) return invalid({ field: 'base', code: 'invalid' })
  if (heads.head === heads.base) return invalid({ code: 'custom', message: `No commits between ${base} and ${head}` })
  const isSame = (pull: StoredPullRequest) => pull.branch === head && pull.base === base && !pull.isFromFork
  if (repository.pullRequests.some((pull) => isSame(pull) && pull.state === 'open')) {
    const message = `A pull request already exists for ${server.path.split('/')[0]}:${head}.`
    return invalid({ code: 'custom', message })
  }
  const draft = body.draft === true
  const pull = repository.addPullRequest({ title, body: String(body.body ?? ''), branch: head, base, draft })
  return { status: 201, body: pullAnswer(server, pull) }
}

function repositoryAnswer({ path, origin, repositoryId, repository }: VendorServer) {
  return {
    id: repositoryId,
    name: path.split('/')[1],
    full_name: path,
    private: true,
    html_url: `${origin}/${path}`,
    clone_url: `${origin}/${path}.git`,
    default_branch: repository.defaultBranch,
  }
}

const stateOf = ({ state }: StoredPullRequest) => (state === 'open' ? 'open' : 'closed')

function pullAnswer(server: VendorServer, pull: StoredPullRequest) {
  const owner = pull.isFromFork ? 'someone' : server.path.split('/')[0]
  const headRepository = pull.isFromFork ? { id: 99, full_name: 'someone/docs' } : repositoryAnswer(server)
  return {
    id: 1000 + pull.number,
    number: pull.number,
    html_url: `${server.origin}/${server.path}/pull/${pull.number}`,
    state: stateOf(pull),
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    created_at: pull.createdAt,
    merged_at: pull.state === 'merged' ? pull.createdAt : null,
    head: { label: `${owner}:${pull.branch}`, ref: pull.branch, repo: headRepository },
    base: { label: `acme:${pull.base}`, ref: pull.base, repo: repositoryAnswer(server) },
  }
}

function routeApp(
  call: VendorCall,
  { app, tokenRequests }: { app: NonNullable<GitHubServerOptions['app']>; tokenRequests: Record<string, unknown>[] },
): VendorAnswer | null {
  const { method, path, body, server } = call
  const isTokens = method === 'POST' && path === `/app/installations/${installationId}/access_tokens`
  const isInstallation = path.endsWith('/installation')
  if (!isTokens && !isInstallation) return null
  const claims = readJwt(call.headers.authorization, createPublicKey(app.publicKey))
  const now = app.now().getTime() / 1000
  const isGood = claims?.iss === app.id && claims.iat <= now && claims.exp > now && claims.exp - claims.iat <= 600
  if (!isGood) {
    return { status: 401, body: { message: 'A JSON web token could not be decoded', documentation_url } }
  }
  if (isInstallation) {
    const moved = redirect(call)
    if (moved) return moved
    const isHere = app.permissions && below(call) === '/installation'
    return isHere ? { status: 200, body: { id: installationId, permissions: app.permissions } } : notFound
  }

  const asked = body as { repositories?: string[]; repository_ids?: number[]; permissions?: Record<string, string> }
  const isKnown =
    (asked.repositories ?? []).every((name) => name === server.path.split('/')[1]) &&
    (asked.repository_ids ?? []).every((id) => id === server.repositoryId)
  const isGiven = Object.entries(asked.permissions ?? {}).every(
    ([name, level]) => name === 'metadata' || app.permissions?.[name] === level,
  )
  if (!isKnown || !isGiven) {
    const message = isKnown
      ? 'The permissions requested are not granted to this installation.'
      : 'There is at least one repository that does not exist or is not accessible to the parent installation.'
    return { status: 422, body: { message, documentation_url } }
  }
  tokenRequests.push(body)
  const token = `ghs_${tokenRequests.length}`
  server.tokens.set(token, asked.permissions?.pull_requests === 'write' ? 'write' : 'read')
  const expires_at = new Date(app.now().getTime() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')
  return { status: 201, body: { token, expires_at, permissions: asked.permissions } }
}

function readJwt(authorization: string | undefined, key: KeyObject): { iss: string; iat: number; exp: number } | null {
  const [head, claims, signature] = authorization?.replace(/^bearer /i, '').split('.') ?? []
  if (!head || !claims || !signature) return null
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
  return isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) : null
}
