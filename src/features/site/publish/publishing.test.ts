import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { systemCaller } from '#features/accounts/service.ts'
import { mergePullRequest } from '#features/repositories/pull-requests.ts'
import { getBuiltinRepository, openSource } from '#features/repositories/service.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'
import { publishSite } from './publish-site.ts'

let it: TestApp
let stage: SiteStage
beforeAll(async () => {
  it = await createTestApp({ worker: true })
})
beforeEach(async () => {
  stage = await createSiteStage(it)
})
afterAll(() => it.close())

const page = (title: string, text = 'Words.') => `---\ntitle: ${title}\n---\n\n${text}\n`

describe('a project that nobody read yet', () => {
  test('has nothing live, and is published by its first reader, who waits for it', async () => {
    expect(await stage.site()).toMatchObject({ live: null, building: false, domains: [] })
    const { status, text } = await stage.read('/')
    expect(status).toBe(200)
    expect(text).toContain('Published')
    const { live, url } = await stage.site()
    expect(live).toMatchObject({
      state: 'ready',
      reason: 'first',
      commit: stage.head(),
      ref: 'main',
      isLive: true,
      by: null,
    })
    expect(live).toMatchObject({ pages: 3, changes: { added: 3, changed: 0, removed: 0 }, error: null })
    expect(url).toMatch(new RegExp(`/sites/${stage.slug}/$`))
  })

  test('is published once, however many come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => stage.read('/')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await stage.deployments()).toHaveLength(1)
  })

  test('is published by a push too', async () => {
    const commit = await stage.push({ 'new.mdx': page('New') })
    expect(await stage.live(commit)).toMatchObject({ reason: 'push', changes: { added: 4, changed: 0, removed: 0 } })
  })

  test('that has no branch to publish is told as not published, and not tried for each reader', async () => {
    await it.call('PATCH', `/v1/projects/${stage.id}`, { body: { source: { ref: 'missing' } } })
    await until(async () => (await stage.deployments()).length > 0)
    expect((await stage.read('/')).status).toBe(503)
    expect((await stage.read('/')).status).toBe(503)
    const [failed, ...others] = await stage.deployments()
    expect(failed).toMatchObject({ state: 'failed', commit: null, error: { code: 'site.branch_not_found' } })
    expect(others).toEqual([])
  })
})

describe('a push', () => {
  beforeEach(async () => {
    await stage.open()
  })

  test('is live in a moment, and the deployment says what it changed', async () => {
    const startedAt = performance.now()
    const commit = await stage.push(
      { 'index.mdx': page('Home', 'Quite new.'), 'added.mdx': page('Added') },
      { deleted: ['quickstart.mdx'] },
    )
    await until(async () => (await stage.read('/added')).status === 200, { withinMs: 10_000 })
    // Alone on a machine it takes a tenth of this; in the whole suite it shares one.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect((await stage.read('/')).text).toContain('Quite new.')
    expect((await stage.read('/quickstart')).status).toBe(404)
    const live = await stage.live(commit)
    expect(live).toMatchObject({ reason: 'push', pages: 3, changes: { added: 1, changed: 1, removed: 1 } })
    expect(await stage.deployment(live.id)).toMatchObject({
      ...live,
      changedPages: { added: ['/added'], changed: ['/'], removed: ['/quickstart'] },
    })
    expect(live.finishedAt >= live.createdAt).toBe(true)
  })

  test('with pages that are not as their author meant says so, and they are published all the same', async () => {
    const commit = await stage.push({ 'odd.mdx': page('Odd', 'Hello\n\n<NoSuchComponent />\n\nGood bye') })
    const live = await stage.live(commit)
    expect(live.warnings).toBeGreaterThan(0)
    const { warningList } = await stage.deployment(live.id)
    expect(warningList).toHaveLength(live.warnings)
    expect(warningList[0]).toMatchObject({ route: '/odd', path: 'odd.mdx' })
    expect((await stage.read('/odd')).text).toContain('Good bye')
  })

  test('to another branch, or of the same head again, publishes nothing', async () => {
    await stage.push({ 'draft.mdx': page('Draft') }, { branch: 'draft' })
    await stage.announce()
    const commit = await stage.push({ 'marker.mdx': page('Marker') })
    await stage.live(commit)
    const made = await stage.deployments()
    expect(made.map(({ reason }) => reason)).toEqual(['push', 'first'])
  })

  test('that follows another at once is live in the end, and no commit is built twice', async () => {
    const commits: string[] = []
    for (let count = 0; count < 6; count++) commits.push(await stage.push({ 'count.mdx': page(`Count ${count}`) }))
    await stage.live(commits.at(-1)!)
    const built = (await stage.deployments()).map(({ commit }) => commit)
    expect(new Set(built).size).toBe(built.length)
    // Newest first, as they were pushed: nothing older came after something newer.
    const order = built.slice(0, -1).map((commit) => commits.indexOf(commit))
    expect(order).toEqual(order.toSorted((a, b) => b - a))
  })

  test('is told to webhooks', async () => {
    const hook = { url: 'https://hooks.example/x', events: ['site.published'] }
    const { body } = await it.call('POST', `/v1/projects/${stage.id}/webhooks`, { body: hook })
    await stage.live(await stage.push({ 'told.mdx': page('Told') }))
    const path = `/v1/projects/${stage.id}/webhooks/${body.id}/deliveries`
    const { deliveries } = (await it.call('GET', path)).body
    expect(deliveries.map(({ event }: { event: string }) => event)).toEqual(['site.published'])
  })
})

test('a merge is live', async () => {
  await stage.open()
  stage.commit({ 'merged.mdx': page('Merged') }, { branch: 'change' })
  const { services } = it
  const { host } = await openSource(services, stage.id)
  const words = { title: 'A change', body: '', draft: false }
  const { number } = await host.createPullRequest({ branch: 'change', base: 'main', ...words })
  const repository = await getBuiltinRepository(services, { slug: stage.slug, by: null })
  const by = systemCaller(repository.organizationId)
  const merged = await mergePullRequest(services, { repository, number, head: stage.head('change'), by })
  expect(merged).toEqual({ kind: 'done' })
  await until(async () => (await stage.read('/merged')).status === 200, { withinMs: 10_000 })
  expect((await stage.site()).live).toMatchObject({ commit: stage.head(), reason: 'push' })
})

describe('other settings of the source', () => {
  beforeEach(async () => {
    await stage.open()
  })
  const change = (source: object) => it.call('PATCH', `/v1/projects/${stage.id}`, { body: { source } })

  test('are published: another branch', async () => {
    const commit = stage.commit({ 'index.mdx': page('Next') }, { branch: 'next' })
    await change({ ref: 'next' })
    expect(await stage.live(commit)).toMatchObject({ reason: 'settings', ref: 'next' })
    expect((await stage.read('/')).text).toContain('Next')
  })

  test('are published: another folder of the same commit', async () => {
    const commit = await stage.push({ 'manual/index.mdx': page('Manual home') })
    const first = await stage.live(commit)
    await change({ docsPath: 'manual' })
    await until(async () => (await stage.site()).live.id !== first.id)
    expect((await stage.site()).live).toMatchObject({ reason: 'settings', commit, pages: 1 })
    expect((await stage.read('/')).text).toContain('Manual home')
  })

  test('that cannot be published leave readers what they had, and are told once', async () => {
    const { live } = await stage.site()
    await change({ docsPath: 'no/such/folder' })
    const failed = await until(async () => (await stage.deployments()).find(({ state }) => state === 'failed'))
    expect(failed).toMatchObject({ reason: 'settings', isLive: false, error: { code: 'git.folder_not_found' } })
    await stage.announce()
    await stage.announce()
    expect((await stage.read('/')).status).toBe(200)
    expect((await stage.site()).live.id).toBe(live.id)
    await change({ docsPath: '' })
    await until(async () => (await stage.site()).live.id !== live.id)
    const made = await stage.deployments()
    expect(made.map(({ state, reason }) => `${state} ${reason}`)).toEqual([
      'ready settings',
      'failed settings',
      'ready first',
    ])
  })

  test('of another name or model publish nothing', async () => {
    await it.call('PATCH', `/v1/projects/${stage.id}`, { body: { name: 'Renamed' } })
    await stage.live(await stage.push({ 'marker.mdx': page('Marker') }))
    expect((await stage.deployments()).map(({ reason }) => reason)).toEqual(['push', 'first'])
  })
})

test('publishing the same project from many sides builds one at a time, and ends with the newest', async () => {
  await stage.open()
  const { id: projectId } = stage
  const work = Array.from({ length: 12 }, async (_, index) => {
    if (index % 3 === 0) stage.commit({ 'race.mdx': page(`Race ${index}`) })
    return await publishSite(it.services, { projectId, reason: 'manual' })
  })
  const watch = new AbortController()
  const watched = (async () => {
    let most = 0
    while (!watch.signal.aborted) {
      const rows = await stage.deployments()
      most = Math.max(most, rows.filter(({ state }) => state === 'building').length)
      await sleep(5)
    }
    return most
  })()
  await Promise.all(work)
  watch.abort()
  expect(await watched).toBeLessThanOrEqual(1)
  expect((await stage.site()).live.commit).toBe(stage.head())
})

describe('a deleted project', () => {
  test('leaves no site behind', async () => {
    await stage.open()
    const files = () =>
      readdirSync(dataPaths(it.services.config.data).sites).filter((name) => name.startsWith(stage.id))
    expect(files()).not.toEqual([])
    await it.call('DELETE', `/v1/projects/${stage.id}`)
    await until(async () => (await stage.read('/')).status === 404)
    await until(() => files().length === 0)
  })

  test('is not published', async () => {
    const published = await publishSite(it.services, { projectId: newId('prj'), reason: 'push' })
    expect(published).toEqual({ state: 'unchanged' })
  })
})
