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

// GitLab's REST API as these pages say:
// https://docs.gitlab.com/api/merge_requests/
// https://docs.gitlab.com/api/projects/#get-a-single-project
// https://docs.gitlab.com/api/branches/#get-single-repository-branch
// https://docs.gitlab.com/api/rest/ (status codes, redirects of moved projects, encoded paths)
// https://docs.gitlab.com/user/project/merge_requests/drafts/
// https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers

const firstPath = 'acme/web/docs'

export interface GitLabServer extends VendorServer {
  /** Merge requests that GitLab merges at this moment. */
  locked: Set<number>
}

const vendor: Vendor = {
  name: 'gitlab',
  apiPath: '/api/v4',
  protectedWords: 'GitLab: You are not allowed to push code to protected branches on this project.',
  tokenOf: (headers) =>
    headers['private-token']?.toString() ?? /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
  gitTokenOf: ({ username, password }) => (username === '' ? null : password),
  isDraft: ({ title }) => /^\s*(draft:|\[draft\]|\(draft\))/i.test(title),
  pageOf: ({ origin, path }, number) => `${origin}/${path}/-/merge_requests/${number}`,
  refusals: {
    unauthenticated: {
      status: 401,
      body: { error: 'invalid_token', error_description: 'Token is expired. You can either do re-authorization.' },
    },
    anonymous: { status: 404, body: { message: '404 Project Not Found' } },
    forbidden: {
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api',
      },
    },
    notFound: { status: 404, body: { message: '404 Not found' } },
    failing: { status: 500, body: { message: '500 Internal Server Error' } },
    limited: {
      status: 429,
      headers: { 'ratelimit-limit': '600', 'ratelimit-remaining': '0', 'ratelimit-reset': '{reset}' },
      body: { message: 'Retry later' },
    },
  },
  route,
}

export async function startGitLabServer(options: VendorServerOptions = {}): Promise<GitLabServer> {
  const locked = new Set<number>()
  const server = await startVendorServer(vendor, { path: firstPath, ...options })
  return Object.assign(server, { locked })
}

async function route({ method, path, query, body, access, server }: VendorCall): Promise<VendorAnswer | null> {
  const [, id, rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (id === undefined) return null
  const named = decodeURIComponent(id)
  if (named === firstPath && server.path !== firstPath && method === 'GET') {
    const location = `${server.apiUrl}/projects/${server.repositoryId}${rest}`
    return { status: 301, headers: { location }, body: `This resource has been moved permanently to ${location}` }
  }
  if (named !== server.path && named !== String(server.repositoryId)) {
    return { status: 404, body: { message: '404 Project Not Found' } }
  }
  const { repository } = server
  if (rest === '') return { status: 200, body: projectAnswer(server) }
  const branch = /^\/repository\/branches\/([^/]+)$/.exec(rest)?.[1]
  if (branch !== undefined) {
    const name = decodeURIComponent(branch)
    const head = await repository.findHead(name)
    return head
      ? { status: 200, body: { name, commit: { id: head } } }
      : { status: 404, body: { message: '404 Branch Not Found' } }
  }
  if (rest === '/merge_requests' && method === 'GET') {
    const found = repository.pullRequests.filter(
      (pull) =>
        (!query.has('source_branch') || pull.branch === query.get('source_branch')) &&
        (!query.has('target_branch') || pull.base === query.get('target_branch')) &&
        ['all', null, stateOf(server, pull)].includes(query.get('state')),
    )
    const ordered = query.get('sort') === 'asc' ? found : found.toReversed()
    return { status: 200, body: pageOf(ordered, query, 'per_page').map((pull) => mergeRequestAnswer(server, pull)) }
  }
  if (method !== 'GET' && access !== 'write') return vendor.refusals.forbidden
  if (rest === '/merge_requests') return create(server, body)
  const number = /^\/merge_requests\/(\d+)$/.exec(rest)?.[1]
  const pull = repository.pullRequests.find((one) => String(one.number) === number)
  if (!pull) return null
  if (method === 'PUT') {
    Object.assign(pull, { title: body.title ?? pull.title, body: body.description ?? pull.body })
  }
  return { status: 200, body: mergeRequestAnswer(server, pull) }
}

/** GitLab does not ask whether the branches exist. */
function create(server: VendorServer, body: Record<string, unknown>): VendorAnswer {
  const { repository } = server
  const { source_branch: branch, target_branch: base, title } = body as Record<string, string>
  if (!branch || !base || !title) return { status: 400, body: { error: 'title is missing' } }
  if (branch === base) {
    return { status: 422, body: { message: ["You can't use same project/branch for source and target"] } }
  }
  const same = repository.pullRequests.find(
    (pull) => pull.branch === branch && pull.base === base && pull.state === 'open' && !pull.isFromFork,
  )
  if (same) {
    const message = `Another open merge request already exists for this source branch: !${same.number}`
    return { status: 409, body: { message: [message] } }
  }
  const pull = repository.addPullRequest({ title, body: String(body.description ?? ''), branch, base })
  return { status: 201, body: mergeRequestAnswer(server, pull) }
}

function projectAnswer({ origin, path, repositoryId, repository }: VendorServer) {
  return {
    id: repositoryId,
    path_with_namespace: path,
    web_url: `${origin}/${path}`,
    http_url_to_repo: `${origin}/${path}.git`,
    default_branch: repository.defaultBranch,
    visibility: 'private',
  }
}

function stateOf(server: VendorServer, { number, state }: StoredPullRequest): string {
  if ((server as GitLabServer).locked.has(number)) return 'locked'
  return state === 'open' ? 'opened' : state
}

function mergeRequestAnswer(server: VendorServer, pull: StoredPullRequest) {
  return {
    id: 5000 + pull.number,
    iid: pull.number,
    project_id: server.repositoryId,
    source_project_id: pull.isFromFork ? 99 : server.repositoryId,
    target_project_id: server.repositoryId,
    web_url: vendor.pageOf(server, pull.number),
    state: stateOf(server, pull),
    title: pull.title,
    description: pull.body,
    draft: vendor.isDraft(pull),
    source_branch: pull.branch,
    target_branch: pull.base,
    created_at: pull.createdAt,
  }
}
