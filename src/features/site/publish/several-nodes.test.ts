import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import { createEditions } from '#features/site/edition/editions.ts'
import { startGiteaServer } from '#tests/harness/hosts/gitea-server.ts'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'
import { createLiveSites, type LiveSites } from './live-sites.ts'
import { publishSite } from './publish-site.ts'
import * as store from './store.ts'

/** What another node has for itself: its own memory and its own data folder, on the same database. */
interface OtherNode {
  liveSites: LiveSites
  editions: ReturnType<typeof createEditions>
  config: TestApp['services']['config']
}

let it: TestApp
let stage: SiteStage
let other: OtherNode
let folder: string
beforeAll(async () => {
  it = await createTestApp({ worker: true })
  stage = await createSiteStage(it, 'Shared')
  folder = await mkdtemp(join(tmpdir(), 'docent-node-'))
  const { services } = it
  const config = { ...services.config, data: folder }
  const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })
  const { renderer, gitCache, clock } = services
  const editions = createEditions({ folder: join(folder, 'sites'), renderer, gitCache, clock, log })
  other = { liveSites: createLiveSites({ ...services, config, editions, log }), editions, config }
})
afterAll(async () => {
  await other.liveSites.close()
  await other.editions.close()
  await it.close()
  await rm(folder, { recursive: true, force: true })
})

const commitThere = async (slug = stage.slug) => (await other.liveSites.findBySlug(slug))?.edition.id

describe('another node', () => {
  test('follows within a second of a publication, also while it is busy', async () => {
    expect(await commitThere()).toBe(stage.head())
    const commit = await stage.push({ 'followed.mdx': '# Followed\n' })
    // Asked all the time: it answers each time, with the old or the new one.
    let old = 0
    await until(async () => {
      const now = await commitThere()
      expect(now).toBeDefined()
      if (now !== commit) old += 1
      return now === commit
    })
    const { finishedAt } = await stage.live(commit)
    // Half a second, and what asking takes on a machine that is shared.
    expect(Date.now() - Date.parse(finishedAt)).toBeLessThan(3_000)
    expect(old).toBeGreaterThan(0)
  })

  test('has the new one at once when nobody has asked for a while', async () => {
    await commitThere()
    const commit = await stage.push({ 'later.mdx': '# Later\n' })
    await stage.live(commit)
    await sleep(2_100)
    expect(await commitThere()).toBe(commit)
  })

  test('brings what its own mirror lacks', async () => {
    const server = await startGiteaServer()
    await server.repository.commitTo('trunk', { 'index.md': '# Mirrored\n' })
    const { repositoryUrl: repository, apiUrl, token } = server
    const source = { provider: 'gitea', repository, apiUrl, token }
    const { body } = await it.call('POST', '/v1/projects', { body: { name: 'Mirrored', source } })
    await it.call('GET', `/sites/${body.slug}/`, { key: null })
    expect(await commitThere(body.slug)).toBe(await server.repository.findHead('trunk'))
    await server[Symbol.asyncDispose]()
  })

  test.runIf(inject('engine') === 'postgres')('takes its turn: two nodes never build one project at once', async () => {
    const deps = { ...it.services, ...other }
    const { id: projectId } = stage
    const work: Promise<unknown>[] = []
    for (let index = 0; index < 6; index++) {
      stage.commit({ 'turns.mdx': `# Turn ${index}\n` })
      work.push(publishSite(index % 2 === 0 ? it.services : deps, { projectId, reason: 'push' }))
      await sleep(20)
    }
    await Promise.all(work)
    await stage.live(stage.head())
    // The other node looks for it twice a second.
    await vi.waitFor(async () => expect(await commitThere()).toBe(stage.head()), { timeout: 5_000 })
  })
})

describe('a builder that died', () => {
  const insert = (row: Partial<store.NewRow>) =>
    it.services.db.transaction().execute((tx) =>
      store.insertDeployment(tx, {
        id: newId('dpl'),
        projectId: stage.id,
        commit: stage.head(),
        ref: 'main',
        docsPath: '',
        state: 'building',
        reason: 'push',
        by: null,
        work: null,
        ...row,
      }),
    )
  const silentFor = (id: string, seconds: number) =>
    it.services.db
      .updateTable('deployments')
      .set({ heartbeatAt: new Date(Date.now() - seconds * 1000) })
      .where('id', '=', id)
      .execute()

  test('keeps the turn no longer than its heartbeat, and is told as interrupted', async () => {
    await stage.live(stage.head())
    const row = (await insert({}))!
    await silentFor(row.id, 30)
    const commit = await stage.push({ 'after-death.mdx': '# After\n' })
    await stage.live(commit)
    expect(await stage.deployment(row.id)).toMatchObject({ state: 'failed', error: { code: 'site.interrupted' } })
  })

  test('is waited for as long as it is alive', async () => {
    const row = (await insert({}))!
    const { id: projectId } = stage
    stage.commit({ 'patience.mdx': '# Patience\n' })
    let isDone = false
    const done = publishSite(it.services, { projectId, reason: 'push' }).then((published) => {
      isDone = true
      return published
    })
    await sleep(500)
    expect(isDone).toBe(false)
    await silentFor(row.id, 30)
    expect(await done).toMatchObject({ state: 'ready' })
  })

  test('of the same job of the queue is succeeded at once, in the same deployment', async () => {
    stage.commit({ 'again.mdx': '# Again\n' })
    const row = (await insert({ work: 'job-1' }))!
    const { id: projectId } = stage
    const published = await publishSite(it.services, { projectId, reason: 'push', work: 'job-1' })
    expect(published).toEqual({ state: 'ready', deploymentId: row.id })
    expect((await stage.site()).live).toMatchObject({ id: row.id, commit: stage.head() })
  })

  test('leaves what somebody asked for to its job', async () => {
    const row = (await insert({ by: 'Ann', reason: 'manual' }))!
    await silentFor(row.id, 30)
    await store.settleAbandoned(it.services.db)
    expect(await stage.deployment(row.id)).toMatchObject({ state: 'waiting' })
  })

  test('who was told to stop leaves no trace', async () => {
    stage.commit({ 'stopped.mdx': '# Stopped\n' })
    const before = await stage.deployments()
    const stop = AbortSignal.abort()
    const { id: projectId } = stage
    await expect(publishSite(it.services, { projectId, reason: 'push', signal: stop })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(await stage.deployments()).toEqual(before)
  })
})
