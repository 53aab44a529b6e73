import { z } from 'zod'
import type { PullRequest } from '../code-host.ts'
import { createDraftTitle } from '../draft-title.ts'
import { pickPullRequest, pullRequestExists, pullRequestRefused, repositoryEmpty } from '../host-answers.ts'
import type { HostFactory } from '../host-factory.ts'
import type { Refusal } from '../host-refusal.ts'
import { createHostRequest } from '../host-request.ts'
import { once } from '../once.ts'
import { gitUrlOf, parseFlatAddress, withApiPath } from '../repository-address.ts'
import { PullRequestAnswer, Repository } from './schema.ts'

const vendor = 'Gitea'
const permission = 'the scope "write:repository" and write access to the repository'
const draftTitle = createDraftTitle({ marker: 'WIP: ', known: /^\s*(wip:|\[wip\])\s*/i })
const pageSize = 50
// Gitea cannot look for a branch, so all have to be read: the open ones whole, of the closed ones the newest.
const mostPages = { open: 100, closed: 20 }

/** Gitea and Forgejo. */
export const gitea: HostFactory = (input, deps) => {
  const address = parseFlatAddress(input.repository)
  const { token } = input
  const authorize = async () => (token === null ? null : { name: 'authorization', value: `token ${token}` })
  const apiUrl = withApiPath(input.apiUrl ?? address.origin + address.folder, '/api/v1')
  const request = createHostRequest({ vendor, apiUrl, authorize }, deps)
  const locate = once(async () => {
    const path = `/repos/${encodeURIComponent(address.owner)}/${encodeURIComponent(address.name)}`
    const found = await request({ path, schema: Repository, permission })
    return { ...found, api: `/repos/${found.full_name}` }
  })

  async function readPullRequest(number: number) {
    const path = `${(await locate()).api}/pulls/${number}`
    return request({ path, schema: PullRequestAnswer, permission, missing: 'pull_request' })
  }

  /** Newest first, the ones in that state. */
  async function findIn(state: 'open' | 'closed', { branch, base }: { branch: string; base: string }) {
    const { api, id } = await locate()
    for (let page = 1; page <= mostPages[state]; page++) {
      const found = await request({
        path: `${api}/pulls`,
        query: [
          ['state', state],
          ['base_branch', base],
          ['page', String(page)],
          ['limit', String(pageSize)],
        ],
        schema: z.array(PullRequestAnswer),
        permission,
      })
      const ours = found.filter(({ head }) => head.repo_id === id && head.label === branch).map(toPullRequest)
      const match = pickPullRequest(ours.filter((one) => one.base === base))
      // The server may allow fewer on a page than we ask for, so only an empty one is surely the last.
      if (match || found.length === 0) return match
    }
    return null
  }

  return {
    supports: { draftPullRequests: true },
    async getRepository() {
      const { html_url, default_branch, empty } = await locate()
      if (empty || !default_branch) throw repositoryEmpty(vendor)
      return { webUrl: html_url, defaultBranch: default_branch }
    },
    async openRemote() {
      const url = gitUrlOf(address, (await locate()).full_name)
      // Gitea reads the token from the password and takes any name with it.
      return { kind: 'http', url, credential: token === null ? null : { username: 'oauth2', password: token } }
    },
    findPullRequest: async (wanted) => (await findIn('open', wanted)) ?? (await findIn('closed', wanted)),
    getPullRequest: async (number) => toPullRequest(await readPullRequest(number)),
    async createPullRequest({ branch, base, title, body, draft }) {
      return toPullRequest(
        await request({
          method: 'POST',
          path: `${(await locate()).api}/pulls`,
          body: { head: branch, base, title: draftTitle.mark(title, draft), body },
          schema: PullRequestAnswer,
          permission,
          explain: (refusal) => explainCreate(refusal, branch),
        }),
      )
    },
    async updatePullRequest(number, { title, body }) {
      // The title also says whether it is a draft, and that stays as people have set it.
      const draft = draftTitle.isDraft((await readPullRequest(number)).title)
      return toPullRequest(
        await request({
          method: 'PATCH',
          path: `${(await locate()).api}/pulls/${number}`,
          body: { title: draftTitle.mark(title, draft), body },
          schema: PullRequestAnswer,
          permission,
          missing: 'pull_request',
        }),
      )
    },
  }
}

function explainCreate({ status, message }: Refusal, branch: string) {
  if (status === 409) return pullRequestExists(vendor, branch)
  // 404 is what Gitea says of a branch that is not there; the repository was found just before.
  return status === 404 || status === 422 ? pullRequestRefused(vendor, message) : null
}

function toPullRequest(answer: z.infer<typeof PullRequestAnswer>): PullRequest {
  return {
    number: answer.number,
    url: answer.html_url,
    state: answer.merged ? 'merged' : answer.state,
    branch: answer.head.label,
    base: answer.base.ref,
    title: draftTitle.unmark(answer.title),
  }
}
