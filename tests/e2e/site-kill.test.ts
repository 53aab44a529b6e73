import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { importCommit } from '#tests/harness/git-history.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createStallingGit, type StallingGit } from '#tests/harness/stalling-git.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

let git: StallingGit
let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  git = createStallingGit()
})
afterAll(() => git.delete())
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  git.goOn()
  await server?.end('SIGKILL')
  await database.delete()
  git.reset()
})

async function start(): Promise<ServerProcess> {
  vi.stubEnv('PATH', `${git.bin}:${process.env.PATH}`)
  const started = await startServerProcess({ ...database.settings, shutdownTimeoutSeconds: 2 })
  vi.unstubAllEnvs()
  return started
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = body ? { 'content-type': 'application/json' } : {}
  const response = await server.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  return await response.json()
}

interface Deployment {
  id: string
  state: string
  reason: string
  commit: string
}

const read = async (slug: string, path: string) =>
  await (await server.fetch(`/sites/${slug}${path}`, { key: null })).text()

/** On a shared database a dead worker is missed by its heartbeat; one such wait is enough. */
const moments = inject('engine') === 'postgres' ? ['ls-tree'] : ['for-each-ref', 'ls-tree', 'cat-file']

test.each(moments)(
  'a server that is killed at git %s while it publishes goes on after its next start',
  async (moment) => {
    server = await start()
    const { id, slug } = await call('POST', '/v1/projects', { name: 'Killed' })
    const gitDir = join(database.settings.data, 'git', `${id}.git`)
    const change = (words: string) =>
      importCommit(gitDir, 'main', { files: [{ path: 'index.mdx', content: `# ${words}\n` }] })
    const all = async (): Promise<Deployment[]> => (await call('GET', `/v1/projects/${id}/deployments`)).deployments
    const isOver = async (deploymentId: string) => {
      const { state } = await call('GET', `/v1/projects/${id}/deployments/${deploymentId}`)
      return state === 'ready'
    }
    change('Before')
    expect(await read(slug, '/')).toContain('Before')

    // Once undisturbed, to know which calls there are.
    change('Between')
    git.reset()
    const undisturbed = await call('POST', `/v1/projects/${id}/deployments`, {})
    await until(() => isOver(undisturbed.id))
    const at = git.calls().indexOf(moment)
    expect(at, git.calls().join(' ')).not.toBe(-1)

    const commit = change('After')
    git.stallAt(at + 1, 'before')
    const asked = await call('POST', `/v1/projects/${id}/deployments`, {})
    await git.reached()
    expect(await read(slug, '/')).toContain('Between')
    await server.end('SIGKILL')
    git.goOn()
    git.reset()

    server = await start()
    expect(await read(slug, '/')).toMatch(/Between|After/)
    await until(() => isOver(asked.id))
    expect(await read(slug, '/')).toContain('After')
    const { live, building } = await call('GET', `/v1/projects/${id}/site`)
    expect(live).toMatchObject({ id: asked.id, commit })
    expect(building).toBe(false)
    expect((await all()).map(({ state, reason }) => `${state} ${reason}`)).toEqual([
      'ready manual',
      'ready manual',
      'ready first',
    ])
  },
)
