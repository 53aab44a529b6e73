import type { z } from 'zod'
import type { Credential } from '#infra/git/remote.ts'
import type { CodeHost, PullRequest } from '../code-host.ts'
import { pickPullRequest, pullRequestExists, pullRequestRefused, repositoryEmpty } from '../host-answers.ts'
import type { HostFactory } from '../host-factory.ts'
import { createHostRequest } from '../host-request.ts'
import { once } from '../once.ts'
import { gitUrlOf, parseFlatAddress, withApiPath } from '../repository-address.ts'
import { PullRequestAnswer, PullRequestPage, Repository } from './schema.ts'

const vendor = 'Bitbucket'
const permission = 'the scopes "repository:write" and "pullrequest:write"'

/**
 * Bitbucket Cloud. The token is an access token of a repository, project or workspace; or `email:token` with an API
 * token of a person; or `user:password` with an app password.
 */
export const bitbucket: HostFactory = (input, deps) => {
  const address = parseFlatAddress(input.repository)
  const { token } = input
  const authorize = async () => (token === null ? null : { name: 'authorization', value: authorizationOf(token) })
  const apiUrl = withApiPath(input.apiUrl ?? 'https://api.bitbucket.org', '/2.0')
  const request = createHostRequest({ vendor, apiUrl, authorize }, deps)
  const locate = once(async () => {
    const path = `/repositories/${encodeURIComponent(address.owner)}/${encodeURIComponent(address.name)}`
    const found = await request({ path, schema: Repository, permission })
    return { ...found, api: `/repositories/${found.full_name}` }
  })

  async function readPullRequest(number: number) {
    const path = `${(await locate()).api}/pullrequests/${number}`
    return request({ path, schema: PullRequestAnswer, permission, missing: 'pull_request' })
  }

  const findPullRequest: CodeHost['findPullRequest'] = async ({ branch, base }) => {
    const { api, full_name } = await locate()
    const wanted = [
      `source.branch.name = ${quote(branch)}`,
      `source.repository.full_name = ${quote(full_name)}`,
      `destination.branch.name = ${quote(base)}`,
      // Without these two it lists no closed ones, and at times no drafts.
      '(state = "OPEN" OR state = "MERGED" OR state = "DECLINED" OR state = "SUPERSEDED")',
      '(draft = true OR draft = false)',
    ]
    const { values } = await request({
      path: `${api}/pullrequests`,
      query: [
        ['q', wanted.join(' AND ')],
        ['sort', '-created_on'],
        ['pagelen', '50'],
      ],
      schema: PullRequestPage,
      permission,
    })
    const ours = values.filter(({ source }) => source.repository?.full_name === full_name).map(toPullRequest)
    return pickPullRequest(ours.filter((one) => one.branch === branch && one.base === base))
  }

  return {
    supports: { draftPullRequests: true },
    async getRepository() {
      const { links, mainbranch } = await locate()
      if (!mainbranch) throw repositoryEmpty(vendor)
      return { webUrl: links.html.href, defaultBranch: mainbranch.name }
    },
    async openRemote() {
      const url = gitUrlOf(address, (await locate()).full_name)
      return { kind: 'http', url, credential: token === null ? null : gitCredentialOf(token) }
    },
    findPullRequest,
    getPullRequest: async (number) => toPullRequest(await readPullRequest(number)),
    async createPullRequest({ branch, base, title, body, draft }) {
      const { api } = await locate()
      // Bitbucket would overwrite an open one instead of saying that it exists. One that is opened in the moment between
      // becomes ours that way, which leaves one pull request all the same.
      if ((await findPullRequest({ branch, base }))?.state === 'open') throw pullRequestExists(vendor, branch)
      return toPullRequest(
        await request({
          method: 'POST',
          path: `${api}/pullrequests`,
          body: {
            title,
            description: body,
            source: { branch: { name: branch } },
            destination: { branch: { name: base } },
            draft,
          },
          schema: PullRequestAnswer,
          permission,
          explain: ({ status, message }) => (status === 400 ? pullRequestRefused(vendor, message) : null),
        }),
      )
    },
    async updatePullRequest(number, { title, body }) {
      // What is left out is lost: the reviewers that people asked, and that it is a draft.
      const { reviewers, draft } = await readPullRequest(number)
      return toPullRequest(
        await request({
          method: 'PUT',
          path: `${(await locate()).api}/pullrequests/${number}`,
          body: { title, description: body, reviewers, draft },
          schema: PullRequestAnswer,
          permission,
          missing: 'pull_request',
        }),
      )
    },
  }
}

function authorizationOf(token: string): string {
  return token.includes(':') ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`
}

/** With a token git signs in under a fixed name, one for each kind of token; with an app password under the person's own. */
function gitCredentialOf(token: string): Credential {
  const colon = token.indexOf(':')
  if (colon === -1) return { username: 'x-token-auth', password: token }
  const [user, password] = [token.slice(0, colon), token.slice(colon + 1)]
  return { username: user.includes('@') ? 'x-bitbucket-api-token-auth' : user, password }
}

/** A string of Bitbucket's query language. A branch may be called `a" OR state = "OPEN`. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

const states = { OPEN: 'open', MERGED: 'merged', DECLINED: 'closed', SUPERSEDED: 'closed' } as const

function toPullRequest(answer: z.infer<typeof PullRequestAnswer>): PullRequest {
  return {
    number: answer.id,
    url: answer.links.html.href,
    state: states[answer.state],
    branch: answer.source.branch.name,
    base: answer.destination.branch.name,
    title: answer.title,
  }
}
