import { parseQuery } from './bitbucket-query.ts'
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

// Bitbucket Cloud's REST API as these pages say:
// https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/
// https://developer.atlassian.com/cloud/bitbucket/rest/api-group-repositories/
// https://developer.atlassian.com/cloud/bitbucket/rest/intro/ (filtering, pages, ways to sign in)
// https://support.atlassian.com/bitbucket-cloud/docs/using-api-tokens/ and …/using-access-tokens/ (names for git)
// https://jira.atlassian.com/browse/BCLOUD-23659 (drafts are listed only if asked for)
// That a second POST changes the open pull request, and that a PUT drops the reviewers it does not name, is told by those
// who have met it (Sourcegraph's and Renovate's clients).

export interface BitbucketServer extends VendorServer {
  /** Pull requests that another one has replaced. */
  superseded: Set<number>
}

const vendor: Vendor = {
  name: 'bitbucket',
  apiPath: '/2.0',
  protectedWords: 'Permission denied to update branch (prevented by branch restrictions).',
  tokenOf: ({ authorization }) => {
    const [scheme, value] = authorization?.split(' ') ?? []
    if (!value) return null
    return scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString('utf8') : value
  },
  gitTokenOf: ({ username, password }) => {
    if (username === 'x-token-auth') return password
    // A person's token is known by its owner's address in the API, and by a fixed name to git.
    return username === 'x-bitbucket-api-token-auth' ? `ann@example.com:${password}` : `${username}:${password}`
  },
  isDraft: ({ draft }) => draft,
  pageOf: ({ origin, path }, number) => `${origin}/${path}/pull-requests/${number}`,
  refusals: {
    unauthenticated: error(401, { message: 'Token is invalid, expired, or not supported for this endpoint.' }),
    anonymous: error(404, { message: 'You may not have access to this repository or it no longer exists.' }),
    forbidden: error(403, {
      message: 'Your credentials lack one or more required privilege scopes.',
      detail: { granted: ['repository'], required: ['pullrequest:write'] },
    }),
    notFound: error(404, { message: 'Resource not found' }),
    failing: error(503, { message: 'Service Unavailable' }),
    limited: error(429, { message: 'Rate limit for this resource has been exceeded' }),
  },
  route,
}

export async function startBitbucketServer(options: VendorServerOptions = {}): Promise<BitbucketServer> {
  const superseded = new Set<number>()
  return Object.assign(await startVendorServer(vendor, options), { superseded })
}

function error(status: number, body: object): VendorAnswer {
  return { status, body: { type: 'error', error: body } }
}

async function route({ method, path, query, body, access, server }: VendorCall): Promise<VendorAnswer | null> {
  const { repository } = server
  const [, name, rest = ''] = /^\/repositories\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? []
  if (name === 'acme/docs' && server.path !== name) {
    const search = query.size > 0 ? `?${query}` : ''
    return { status: 301, headers: { location: `${server.apiUrl}/repositories/${server.path}${rest}${search}` } }
  }
  if (name !== server.path) return null
  if (rest === '') return { status: 200, body: repositoryAnswer(server) }
  if (rest === '/pullrequests' && method === 'GET') return list(server, query)
  if (method !== 'GET' && access !== 'write') return vendor.refusals.forbidden
  if (rest === '/pullrequests') return create(server, body)
  const number = /^\/pullrequests\/(\d+)$/.exec(rest)?.[1]
  const pull = repository.pullRequests.find((one) => String(one.number) === number)
  if (!pull) return null
  if (method === 'PUT') change(pull, body)
  return { status: 200, body: pullAnswer(server, pull) }
}

function list(server: VendorServer, query: URLSearchParams): VendorAnswer {
  const q = query.get('q') ?? ''
  const states = query.has('state') ? query.getAll('state') : ['OPEN']
  let isWanted: (object: unknown) => boolean
  try {
    isWanted = q ? parseQuery(q) : () => true
  } catch (cause) {
    return error(400, { message: String(cause) })
  }
  const found = server.repository.pullRequests
    .map((pull) => pullAnswer(server, pull))
    .filter((pull) => /\bstate\b/.test(q) || states.includes(pull.state))
    .filter((pull) => /\bdraft\b/.test(q) || !pull.draft)
    .filter(isWanted)
  const ordered = query.get('sort') === '-created_on' ? found.toReversed() : found
  const values = pageOf(ordered, query, 'pagelen', 50)
  return { status: 200, body: { size: found.length, page: 1, pagelen: 50, values } }
}

async function create(server: VendorServer, body: Record<string, unknown>): Promise<VendorAnswer> {
  const { repository } = server
  const branchOf = (side: unknown) => (side as { branch: { name: string } }).branch.name
  const [branch, base] = [branchOf(body.source), branchOf(body.destination)]
  const heads = { source: await repository.findHead(branch), destination: await repository.findHead(base) }
  for (const [field, head] of Object.entries(heads)) {
    const missing = field === 'source' ? branch : base
    const fields = { [field]: [`branch not found: ${missing}`] }
    if (!head) return error(400, { message: `${field}: branch not found: ${missing}`, fields })
  }
  if (heads.source === heads.destination) return error(400, { message: 'There are no changes to be pulled' })
  const same = repository.pullRequests.find(
    (pull) => pull.branch === branch && pull.base === base && pull.state === 'open' && !pull.isFromFork,
  )
  const pull = same ?? repository.addPullRequest({ title: '', branch, base })
  change(pull, body)
  return { status: 201, body: pullAnswer(server, pull) }
}

function change(pull: StoredPullRequest, body: Record<string, unknown>): void {
  pull.title = String(body.title ?? pull.title)
  pull.body = String(body.description ?? pull.body)
  pull.draft = body.draft === true
  pull.reviewers = ((body.reviewers ?? []) as { uuid: string }[]).map(({ uuid }) => uuid)
}

function repositoryAnswer({ origin, path, repository }: VendorServer) {
  return {
    type: 'repository',
    uuid: '{470c176d-3574-44ea-bb41-89e8638bcca4}',
    full_name: path,
    is_private: true,
    links: { html: { href: `${origin}/${path}` }, clone: [{ name: 'https', href: `${origin}/${path}.git` }] },
    mainbranch: { type: 'branch', name: repository.defaultBranch },
  }
}

function stateOf(server: VendorServer, { number, state }: StoredPullRequest): string {
  if ((server as BitbucketServer).superseded.has(number)) return 'SUPERSEDED'
  return { open: 'OPEN', merged: 'MERGED', closed: 'DECLINED' }[state]
}

function pullAnswer(server: VendorServer, pull: StoredPullRequest) {
  return {
    type: 'pullrequest',
    id: pull.number,
    title: pull.title,
    description: pull.body,
    state: stateOf(server, pull),
    draft: pull.draft,
    links: { html: { href: vendor.pageOf(server, pull.number) } },
    source: {
      branch: { name: pull.branch },
      repository: { full_name: pull.isFromFork ? 'someone/docs' : server.path },
    },
    destination: { branch: { name: pull.base }, repository: { full_name: server.path } },
    reviewers: pull.reviewers.map((uuid) => ({ type: 'user', uuid })),
    created_on: pull.createdAt,
  }
}
