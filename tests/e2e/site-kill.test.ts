import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
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
  state: string
  reason: string
}

const read = async (slug: string, path: string) =>
  await (await server.fetch(`/sites/${slug}${path}`, { key: null })).text()

const moments = ['for-each-ref', 'ls-tree', 'cat-file']

test(`a server that is killed while it publishes, at each of git ${moments.join(', ')}, goes on after its next start`, async () => {
  server = await start()
  // A project for each moment, and one death for all of them.
  const sites = await Promise.all(
    moments.map(async (moment) => {
      const { id, slug } = await call('POST', '/v1/projects', { name: 'Killed' })
      const gitDir = join(database.settings.data, 'git', `${id}.git`)
      const change = (words: string) =>
        importCommit(gitDir, 'main', { files: [{ path: 'index.mdx', content: `# ${words}\n` }] })
      const publish = async (): Promise<string> => (await call('POST', `/v1/projects/${id}/deployments`, {})).id
      const over = (deploymentId: string) =>
        until(async () => {
          const { state } = await call('GET', `/v1/projects/${id}/deployments/${deploymentId}`)
          return state === 'ready'
        })
      change('Before')
      expect(await read(slug, '/')).toContain('Before')

      // Once undisturbed, to know which calls there are.
      change('Between')
      const repository = git.on(gitDir)
      repository.reset()
      await over(await publish())
      const at = repository.calls().indexOf(moment)
      expect(at, repository.calls().join(' ')).not.toBe(-1)

      const commit = change('After')
      repository.stallAt(at + 1, 'before')
      const asked = await publish()
      await repository.reached()
      expect(await read(slug, '/')).toContain('Between')
      return { id, slug, commit, asked, over }
    }),
  )
  await server.end('SIGKILL')
  git.goOn()
  git.reset()

  server = await start()
  for (const { id, slug, commit, asked, over } of sites) {
    expect(await read(slug, '/')).toMatch(/Between|After/)
    await over(asked)
    expect(await read(slug, '/')).toContain('After')
    const { live, building } = await call('GET', `/v1/projects/${id}/site`)
    expect(live).toMatchObject({ id: asked, commit })
    expect(building).toBe(false)
    const { deployments } = await call('GET', `/v1/projects/${id}/deployments`)
    expect(deployments.map(({ state, reason }: Deployment) => `${state} ${reason}`)).toEqual([
      'ready manual',
      'ready manual',
      'ready first',
    ])
  }
}, 180_000)
