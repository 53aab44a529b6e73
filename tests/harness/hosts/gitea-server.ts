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

// Gitea's and Forgejo's API as these pages say:
// https://docs.gitea.com/api/1.24/ (operations repoGet, repoListPullRequests, repoGetPullRequest, repoCreatePullRequest,
// repoEditPullRequest) and https://codeberg.org/api/swagger
// https://docs.gitea.com/development/api-usage (tokens, pages)
// https://docs.gitea.com/usage/pull-request (titles of drafts)

// `[api] MAX_RESPONSE_ITEMS`
const mostOnPage = 50
const url = 'https://gitea.example.com/api/swagger'

const vendor: Vendor = {
  name: 'gitea',
  apiPath: '/api/v1',
  protectedWords: 'Gitea: Not allowed to push to protected branch',
  tokenOf: ({ authorization }) => /^(?:bearer|token) (.+)$/i.exec(authorization ?? '')?.[1] ?? null,
  gitTokenOf: ({ username, password }) => (password === '' || password === 'x-oauth-basic' ? username : password),
  isDraft: ({ title }) => /^(wip:|\[wip\])/i.test(title),
  pageOf: ({ origin, path }, number) => `${origin}/${path}/pulls/${number}`,
  refusals: {
    unauthenticated: { status: 401, body: { message: 'invalid username, password or token', url } },
    anonymous: { status: 404, body: { errors: null, message: 'The target could not be found.', url } },
    forbidden: {
      status: 403,
      body: { message: 'token does not have at least one of required scope(s): [write:repository]', url },
    },
    notFound: { status: 404, body: { errors: null, message: 'The target could not be found.', url } },
    failing: { status: 500, body: { message: '', url } },
    // Gitea has no limits of its own; this is what stands before it.
    limited: { status: 429, body: { message: 'Too Many Requests' } },
  },
  route,
}

export function startGiteaServer(options: VendorServerOptions = {}): Promise<VendorServer> {
  return startVendorServer(vendor, options)
}

async function route({ method, path, query, body, access, server }: VendorCall): Promise<VendorAnswer | null> {
  const { repository } = server
  const [, name, rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? []
  if (name === 'acme/docs' && server.path !== name) {
    const search = query.size > 0 ? `?${query}` : ''
    return { status: 307, headers: { location: `/api/v1/repos/${server.path}${rest}${search}` } }
  }
  if (name !== server.path) return null
  if (rest === '') return { status: 200, body: repositoryAnswer(server) }
  if (rest === '/pulls' && method === 'GET') {
    const state = query.get('state') ?? 'open'
    const found = repository.pullRequests.filter((pull) => state === 'all' || stateOf(pull) === state)
    const page = pageOf(found.toReversed(), query, 'limit', mostOnPage)
    return {
      status: 200,
      headers: { 'x-total-count': String(found.length) },
      body: await Promise.all(page.map((pull) => pullAnswer(server, pull))),
    }
  }
  if (method !== 'GET' && access !== 'write') return vendor.refusals.forbidden
  if (rest === '/pulls') return create(server, body)
  const number = /^\/pulls\/(\d+)$/.exec(rest)?.[1]
  const pull = repository.pullRequests.find((one) => String(one.number) === number)
  if (!pull) return null
  if (method === 'PATCH') Object.assign(pull, { title: body.title ?? pull.title, body: body.body ?? pull.body })
  return { status: method === 'PATCH' ? 201 : 200, body: await pullAnswer(server, pull) }
}

async function create(server: VendorServer, body: Record<string, unknown>): Promise<VendorAnswer> {
  const { repository } = server
  const { head, base, title } = body as Record<'head' | 'base' | 'title', string>
  if (head === base) {
    return { status: 422, body: { message: 'Invalid PullRequest: There are no changes between the head and the base' } }
  }
  if (!(await repository.findHead(head)) || !(await repository.findHead(base))) return vendor.refusals.notFound
  const same = repository.pullRequests.find(
    (pull) => pull.branch === head && pull.base === base && pull.state === 'open' && !pull.isFromFork,
  )
  if (same) {
    const message = `pull request already exists for these targets [id: ${same.number}, issue_id: ${same.number}, head_repo_id: 1, base_repo_id: 1, head_branch: ${head}, base_branch: ${base}]`
    return { status: 409, body: { message, url } }
  }
  const pull = repository.addPullRequest({ title, body: String(body.body ?? ''), branch: head, base })
  return { status: 201, body: await pullAnswer(server, pull) }
}

function repositoryAnswer({ origin, path, repositoryId, repository }: VendorServer) {
  return {
    id: repositoryId,
    full_name: path,
    private: true,
    empty: false,
    html_url: `${origin}/${path}`,
    clone_url: `${origin}/${path}.git`,
    default_branch: repository.defaultBranch,
  }
}

const stateOf = ({ state }: StoredPullRequest) => (state === 'open' ? 'open' : 'closed')

async function pullAnswer(server: VendorServer, pull: StoredPullRequest) {
  // When the branch is gone, `ref` is the pull request's own.
  const ref = (await server.repository.findHead(pull.branch)) ? pull.branch : `refs/pull/${pull.number}/head`
  return {
    id: 7000 + pull.number,
    number: pull.number,
    url: vendor.pageOf(server, pull.number),
    html_url: vendor.pageOf(server, pull.number),
    state: stateOf(pull),
    merged: pull.state === 'merged',
    title: pull.title,
    body: pull.body,
    draft: vendor.isDraft(pull),
    head: { label: pull.branch, ref, repo_id: pull.isFromFork ? 99 : server.repositoryId },
    base: { label: pull.base, ref: pull.base, repo_id: server.repositoryId },
    created_at: pull.createdAt,
  }
}
