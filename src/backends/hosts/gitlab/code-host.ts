import { z } from 'zod'
import type { PullRequest } from '../code-host.ts'
import { createDraftTitle } from '../draft-title.ts'
import { pickPullRequest, pullRequestExists, pullRequestRefused, repositoryEmpty } from '../host-answers.ts'
import type { HostFactory } from '../host-factory.ts'
import type { Refusal } from '../host-refusal.ts'
import { createHostRequest } from '../host-request.ts'
import { once } from '../once.ts'
import { gitUrlOf, parseRepositoryAddress, withApiPath } from '../repository-address.ts'
import { Branch, MergeRequest, Project } from './schema.ts'

const vendor = 'GitLab'
const permission = 'the scope "api" and at least the role Developer'
const draftTitle = createDraftTitle({ marker: 'Draft: ', known: /^\s*(draft:|\[draft\]|\(draft\))\s*/i })

/** gitlab.com and self-managed GitLab. Its merge requests are our pull requests, by their number in the project. */
export const gitlab: HostFactory = (input, deps) => {
  const address = parseRepositoryAddress(input.repository, input.apiUrl)
  const { token } = input
  const authorize = async () => (token === null ? null : { name: 'authorization', value: `Bearer ${token}` })
  const apiUrl = withApiPath(input.apiUrl ?? address.origin, '/api/v4')
  const request = createHostRequest({ vendor, apiUrl, authorize }, deps)
  const locate = once(async () => {
    const path = `/projects/${encodeURIComponent(address.path)}`
    const found = await request({ path, schema: Project, permission })
    return { ...found, api: `/projects/${found.id}` }
  })

  async function getMergeRequest(number: number) {
    const path = `${(await locate()).api}/merge_requests/${number}`
    return request({ path, schema: MergeRequest, permission, missing: 'pull_request' })
  }

  /** GitLab itself opens a merge request for a branch that is not there. */
  async function expectBranch(name: string): Promise<void> {
    await request({
      path: `${(await locate()).api}/repository/branches/${encodeURIComponent(name)}`,
      schema: Branch,
      permission,
      explain: ({ status }) => (status === 404 ? pullRequestRefused(vendor, `there is no branch ${name}.`) : null),
    })
  }

  return {
    supports: { draftPullRequests: true },
    async getRepository() {
      const { web_url, default_branch } = await locate()
      if (!default_branch) throw repositoryEmpty(vendor)
      return { webUrl: web_url, defaultBranch: default_branch }
    },
    async openRemote() {
      const url = gitUrlOf(address, (await locate()).path_with_namespace)
      return { kind: 'http', url, credential: token === null ? null : { username: 'oauth2', password: token } }
    },
    async findPullRequest({ branch, base }) {
      const { api, id } = await locate()
      const found = await request({
        path: `${api}/merge_requests`,
        query: [
          ['source_branch', branch],
          ['target_branch', base],
          ['state', 'all'],
          ['order_by', 'created_at'],
          ['sort', 'desc'],
          ['per_page', '50'],
        ],
        schema: z.array(MergeRequest),
        permission,
      })
      const ours = found.filter((one) => one.source_project_id === id).map(toPullRequest)
      return pickPullRequest(ours.filter((one) => one.branch === branch && one.base === base))
    },
    getPullRequest: async (number) => toPullRequest(await getMergeRequest(number)),
    async createPullRequest({ branch, base, title, body, draft }) {
      const { api } = await locate()
      await expectBranch(branch)
      await expectBranch(base)
      return toPullRequest(
        await request({
          method: 'POST',
          path: `${api}/merge_requests`,
          body: {
            source_branch: branch,
            target_branch: base,
            title: draftTitle.mark(title, draft),
            description: body,
          },
          schema: MergeRequest,
          permission,
          explain: (refusal) => explainCreate(refusal, branch),
        }),
      )
    },
    async updatePullRequest(number, { title, body }) {
      // The title also says whether it is a draft, and that stays as people have set it.
      const draft = draftTitle.isDraft((await getMergeRequest(number)).title)
      return toPullRequest(
        await request({
          method: 'PUT',
          path: `${(await locate()).api}/merge_requests/${number}`,
          body: { title: draftTitle.mark(title, draft), description: body },
          schema: MergeRequest,
          permission,
          missing: 'pull_request',
        }),
      )
    },
  }
}

function explainCreate({ status, message }: Refusal, branch: string) {
  if (status === 409) return pullRequestExists(vendor, branch)
  return status === 400 || status === 422 ? pullRequestRefused(vendor, message) : null
}

// Locked is what one is while GitLab merges it: too late for another commit.
const states = { opened: 'open', closed: 'closed', merged: 'merged', locked: 'merged' } as const

function toPullRequest(answer: z.infer<typeof MergeRequest>): PullRequest {
  return {
    number: answer.iid,
    url: answer.web_url,
    state: states[answer.state],
    branch: answer.source_branch,
    base: answer.target_branch,
    title: draftTitle.unmark(answer.title),
  }
}
