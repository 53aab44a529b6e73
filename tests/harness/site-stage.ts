import { pushed } from '#features/repositories/jobs.ts'
import { importCommit, plainGit } from './git-history.ts'
import type { Answer, TestApp } from './test-app.ts'
import { until } from './until.ts'

// biome-ignore lint/suspicious/noExplicitAny: a deployment as the API gives it.
type Shown = any

/** A project on the built-in host, as those who publish it see it. */
export interface SiteStage {
  id: string
  slug: string
  gitDir: string
  head(branch?: string): string
  /** Puts a commit on the branch, without telling anybody. */
  commit(files: Record<string, string>, options?: { branch?: string; deleted?: string[] }): string
  /** Says that the branch moved, as a push, a merge and a host's webhook do. */
  announce(branch?: string): Promise<void>
  push(files: Record<string, string>, options?: { branch?: string; deleted?: string[] }): Promise<string>
  /** A page as readers get it, without a key. */
  read(path: string): Promise<Answer>
  /** Reads the site for the first time, which publishes it. */
  open(): Promise<void>
  site(): Promise<Shown>
  /** Newest first. */
  deployments(): Promise<Shown[]>
  deployment(id: string): Promise<Shown>
  /** Waits until the commit is what readers get, and nothing more is under way. */
  live(commit: string): Promise<Shown>
  /** Waits until the deployment is over. */
  ended(id: string): Promise<Shown>
}

export async function createSiteStage(it: TestApp, name = 'Published'): Promise<SiteStage> {
  const { body } = await it.call('POST', '/v1/projects', { body: { name } })
  const { id, slug } = body
  const gitDir = `${it.services.config.repositories}/${id}.git`
  const address = `/v1/projects/${id}`
  const stage: SiteStage = {
    id,
    slug,
    gitDir,
    head: (branch = 'main') => plainGit(gitDir, ['rev-parse', `refs/heads/${branch}`]),
    commit(files, { branch = 'main', deleted = [] } = {}) {
      const isNew = plainGit(gitDir, ['for-each-ref', `refs/heads/${branch}`]) === ''
      if (isNew) plainGit(gitDir, ['update-ref', `refs/heads/${branch}`, 'refs/heads/main'])
      const changed = Object.entries(files).map(([path, content]) => ({ path, content }))
      return importCommit(gitDir, branch, { files: changed, deleted })
    },
    async announce(branch = 'main') {
      const commit = stage.head(branch)
      await it.services.queue.send(pushed, { projectId: id, branch, before: null, commit })
    },
    async push(files, options = {}) {
      const commit = stage.commit(files, options)
      await stage.announce(options.branch)
      return commit
    },
    read: (path) => it.call('GET', `/sites/${slug}${path}`, { key: null }),
    async open() {
      // On a machine that does not keep up, the server asks to come again.
      await until(async () => (await stage.read('/')).status === 200)
    },
    site: async () => (await it.call('GET', `${address}/site`)).body,
    deployments: async () => (await it.call('GET', `${address}/deployments?limit=250`)).body.deployments,
    deployment: async (deploymentId) => (await it.call('GET', `${address}/deployments/${deploymentId}`)).body,
    live: (commit) =>
      until(
        async () => {
          const { live, building } = await stage.site()
          return live?.commit === commit && !building && live
        },
        { withinMs: 20_000, waitingFor: `${commit} to be live` },
      ),
    ended: (deploymentId) =>
      until(
        async () => {
          const shown = await stage.deployment(deploymentId)
          return ['ready', 'failed'].includes(shown.state) && shown
        },
        { withinMs: 20_000, waitingFor: `${deploymentId} to end` },
      ),
  }
  return stage
}
