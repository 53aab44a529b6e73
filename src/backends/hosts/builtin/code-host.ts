import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Db } from '#infra/db/schema.ts'
import { readHeadCommits } from '#infra/git/local-repository.ts'
import { runGit } from '#infra/git/run-git.ts'
import type { CodeHost, HostInput, PullRequest } from '../code-host.ts'
import { isHeadContained } from './branches.ts'
import { settlePullRequest } from './pull-requests.ts'
import * as store from './store.ts'

export interface BuiltinCodeHostDeps {
  db: Db
  clock: Clock
  /** Folder of the bare repositories. */
  gitFolder: string
}

/** Where a project's repository lies. */
export function gitDirOf({ gitFolder, projectId }: { gitFolder: string; projectId: string }): string {
  return join(gitFolder, `${projectId}.git`)
}

/** Address of a pull request's page, from the address that its repository is cloned from. */
function pullRequestUrl(repository: string, number: number): string {
  return `${repository.replace(/\.git$/, '')}/pulls/${number}`
}

/** A project's repository in the data folder, with its pull requests in the control data. */
export function createBuiltinCodeHost({ projectId, repository }: HostInput, deps: BuiltinCodeHostDeps): CodeHost {
  const { db, clock } = deps
  const gitDir = gitDirOf({ gitFolder: deps.gitFolder, projectId })

  const toPullRequest = (row: store.PullRequestRow): PullRequest => ({
    number: row.number,
    url: pullRequestUrl(repository, row.number),
    state: row.state as PullRequest['state'],
    branch: row.branch,
    base: row.base,
    title: row.title,
  })
  const settled = async (row: store.PullRequestRow) =>
    toPullRequest((await settlePullRequest(deps, { row, gitDir })).row)

  return {
    supports: { draftPullRequests: true },

    async getRepository() {
      if (!existsSync(gitDir)) throw repositoryNotFound()
      const head = (await runGit({ gitDir, args: ['symbolic-ref', 'HEAD'] })).toString('utf8').trim()
      return { webUrl: repository.replace(/\.git$/, ''), defaultBranch: head.replace(/^refs\/heads\//, '') }
    },

    async openRemote() {
      if (!existsSync(gitDir)) throw repositoryNotFound()
      return { kind: 'local', gitDir }
    },

    async findPullRequest({ branch, base }) {
      const row = await store.findPullRequestOf(db, { projectId, branch, base })
      return row ? await settled(row) : null
    },

    async getPullRequest(number) {
      const row = await store.findPullRequest(db, { projectId, number })
      if (!row) throw pullRequestNotFound()
      return await settled(row)
    },

    async createPullRequest({ branch, base, title, body, draft }) {
      if (!existsSync(gitDir)) throw repositoryNotFound()
      // One that was merged or has lost its branch a moment ago is not in the way.
      const open = await store.findPullRequestOf(db, { projectId, branch, base })
      if (open?.state === 'open') await settlePullRequest(deps, { row: open, gitDir })
      const heads = await readHeadCommits(gitDir, [branch, base])
      const [head, baseHead] = [heads.get(branch), heads.get(base)]
      if (!head || !baseHead) {
        const missing = head ? base : branch
        throw new DocentError(
          'invalid',
          'host.branch_not_found',
          `There is no branch ${missing} in the repository. Push it first.`,
        )
      }
      if (await isHeadContained(gitDir, { head, base: baseHead.id })) {
        const message = `The branch ${branch} has no commit that ${base} lacks; there is nothing to open a pull request for.`
        throw new DocentError('invalid', 'host.nothing_to_merge', message)
      }
      const row = await store.insertPullRequest(db, {
        projectId,
        branch,
        base,
        title: storable(title),
        body: storable(body),
        draft,
        baseCommit: baseHead.id,
        headCommit: head.id,
        at: clock.now(),
      })
      if (row === null) throw repositoryNotFound()
      if (row) return toPullRequest(row)
      const message = `There is an open pull request from ${branch} into ${base} already.`
      throw new DocentError('conflict', 'host.pull_request_exists', message)
    },

    async updatePullRequest(number, { title, body }) {
      const change = { title: storable(title), body: storable(body), updatedAt: clock.now() }
      const row = await store.updateOpenPullRequest(db, { projectId, number }, change)
      if (row) return toPullRequest(row)
      if (!(await store.findPullRequest(db, { projectId, number }))) throw pullRequestNotFound()
      const message = `Pull request ${number} is not open any more and cannot be changed.`
      throw new DocentError('conflict', 'host.pull_request_ended', message)
    },
  }
}

/** A model wrote it: PostgreSQL stores no NUL, and half of a surrogate pair is no Unicode. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function repositoryNotFound(): DocentError {
  return new DocentError(
    'not_found',
    'host.repository_not_found',
    'The project has no repository on this server. Check that DOCENT_REPOSITORIES is the folder it was made in.',
  )
}

function pullRequestNotFound(): DocentError {
  return new DocentError('not_found', 'host.pull_request_not_found', 'There is no such pull request.')
}
