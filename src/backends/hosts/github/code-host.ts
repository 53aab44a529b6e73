import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import type { PullRequest } from '../code-host.ts'
import { pickPullRequest, pullRequestExists, pullRequestRefused } from '../host-answers.ts'
import type { HostFactory } from '../host-factory.ts'
import type { Refusal } from '../host-refusal.ts'
import { createHostRequest } from '../host-request.ts'
import { once } from '../once.ts'
import { gitUrlOf, parseFlatAddress, withApiPath } from '../repository-address.ts'
import { createAppToken } from './app-token.ts'
import { PullRequestAnswer, Repository } from './schema.ts'

const vendor = 'GitHub'
const needed = {
  repository: 'to see the repository ("Contents: write"; a classic token the scope "repo")',
  pullRequests: '"Pull requests: write" (a classic token the scope "repo")',
}

/** github.com, *.ghe.com and GitHub Enterprise Server; signed in by token or as a GitHub App. */
export const github: HostFactory = (input, deps) => {
  const address = parseFlatAddress(input.repository)
  const connection = {
    vendor,
    apiUrl: apiUrlOf(input.apiUrl, address.origin),
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  }
  const getToken = createTokenSource()
  const request = createHostRequest({ ...connection, authorize }, deps)
  const locate = once(async () => {
    const path = `/repos/${encodeURIComponent(address.owner)}/${encodeURIComponent(address.name)}`
    const found = await request({ path, schema: Repository, permission: needed.repository })
    // From here on by its present name: the filter `head` knows no other.
    return { ...found, api: `/repos/${found.full_name}` }
  })

  function createTokenSource(): () => Promise<string | null> {
    if (input.token !== null || !deps.githubApp) return async () => input.token
    const anonymous = createHostRequest({ ...connection, authorize: async () => null }, deps)
    return createAppToken({ app: deps.githubApp, repository: address, request: anonymous, clock: deps.clock })
  }

  async function authorize(): Promise<{ name: string; value: string } | null> {
    const token = await getToken()
    return token === null ? null : { name: 'authorization', value: `Bearer ${token}` }
  }

  return {
    supports: { draftPullRequests: true },
    async getRepository() {
      const { html_url, default_branch } = await locate()
      return { webUrl: html_url, defaultBranch: default_branch }
    },
    async openRemote() {
      const { full_name } = await locate()
      const token = await getToken()
      const credential = token === null ? null : { username: 'x-access-token', password: token }
      return { kind: 'http', url: gitUrlOf(address, full_name), credential }
    },
    async findPullRequest({ branch, base }) {
      const { api, full_name, id } = await locate()
      const found = await request({
        path: `${api}/pulls`,
        query: [
          ['head', `${full_name.split('/')[0]}:${branch}`],
          ['base', base],
          ['state', 'all'],
          ['sort', 'created'],
          ['direction', 'desc'],
          ['per_page', '50'],
        ],
        schema: z.array(PullRequestAnswer),
        permission: needed.pullRequests,
      })
      // A fork of the same owner is told by nothing else, and a filter that GitHub does not understand it leaves out.
      const ours = found.filter(({ head }) => head.repo?.id === id && head.ref === branch)
      return pickPullRequest(ours.map(toPullRequest).filter((one) => one.base === base))
    },
    async getPullRequest(number) {
      const path = `${(await locate()).api}/pulls/${number}`
      const call = {
        path,
        schema: PullRequestAnswer,
        permission: needed.pullRequests,
        missing: 'pull_request',
      } as const
      return toPullRequest(await request(call))
    },
    async createPullRequest({ branch, base, title, body, draft }) {
      const { api } = await locate()
      const create = async (asDraft: boolean) =>
        toPullRequest(
          await request({
            method: 'POST',
            path: `${api}/pulls`,
            body: { title, body, head: branch, base, draft: asDraft },
            schema: PullRequestAnswer,
            permission: needed.pullRequests,
            explain: (refusal) => explainCreate(refusal, branch),
          }),
        )
      if (!draft) return create(false)
      return create(true).catch((thrown) => {
        // Private repositories of free plans have none.
        if (thrown instanceof DocentError && thrown.code === 'host.draft_unsupported') return create(false)
        throw thrown
      })
    },
    async updatePullRequest(number, { title, body }) {
      return toPullRequest(
        await request({
          method: 'PATCH',
          path: `${(await locate()).api}/pulls/${number}`,
          body: { title, body },
          schema: PullRequestAnswer,
          permission: needed.pullRequests,
          missing: 'pull_request',
        }),
      )
    },
  }
}

function apiUrlOf(given: string | null, origin: string): string {
  const address = new URL(given ?? origin)
  if (address.origin === 'https://github.com') return 'https://api.github.com'
  // Where the data stays in one region, the API has a name of its own beside each customer's.
  if (address.host.endsWith('.ghe.com') && !address.host.startsWith('api.')) return `https://api.${address.host}`
  if (address.host.startsWith('api.')) return address.href.replace(/\/+$/, '')
  return withApiPath(given ?? origin, '/api/v3')
}

function explainCreate({ status, message }: Refusal, branch: string): DocentError | null {
  if (status !== 422) return null
  if (/pull request already exists/i.test(message)) return pullRequestExists(vendor, branch)
  if (/draft pull requests are not supported/i.test(message)) {
    return new DocentError('unsupported', 'host.draft_unsupported', 'The repository has no draft pull requests.')
  }
  return pullRequestRefused(vendor, message)
}

function toPullRequest(answer: z.infer<typeof PullRequestAnswer>): PullRequest {
  return {
    number: answer.number,
    url: answer.html_url,
    state: answer.merged_at ? 'merged' : answer.state,
    branch: answer.head.ref,
    base: answer.base.ref,
    title: answer.title,
  }
}
