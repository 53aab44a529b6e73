import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGiteaServer } from '#tests/harness/hosts/gitea-server.ts'
import type { VendorServer } from '#tests/harness/hosts/vendor-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'
import { publish } from '../jobs.ts'
import { pollSites } from './poll-sites.ts'
import { publishSite } from './publish-site.ts'

let now = new Date('2030-05-01T12:00:00Z')
let server: VendorServer
let it: TestApp
let project: { id: string; slug: string }
beforeEach(async () => {
  server = await startGiteaServer()
  await server.repository.commitTo('trunk', { 'index.md': '# Home\n' })
  it = await createTestApp({ clock: { now: () => now } })
  // Not a whole worker: that one would poll by itself, each minute.
  await it.services.queue.work(publish, async ({ data }) => {
    await publishSite(it.services, data)
  })
  const { repositoryUrl: repository, apiUrl, token } = server
  const source = { provider: 'gitea', repository, apiUrl, token }
  project = (await it.call('POST', '/v1/projects', { body: { name: 'Polled', source } })).body
})
afterEach(async () => {
  await it.close()
  await server[Symbol.asyncDispose]()
})

const read = (path: string) => it.call('GET', `/sites/${project.slug}${path}`, { key: null })
const opened = () => until(async () => (await read('/')).status === 200)
const reasons = async () => {
  const { body } = await it.call('GET', `/v1/projects/${project.id}/deployments`)
  return body.deployments.map(({ reason, state }: { reason: string; state: string }) => `${reason} ${state}`)
}
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}
const waiting = async () => {
  const { nextPollAt, pollFailures } = await it.services.db
    .selectFrom('sites')
    .selectAll()
    .where('projectId', '=', project.id)
    .executeTakeFirstOrThrow()
  return { minutes: (nextPollAt.getTime() - now.getTime()) / 60_000, pollFailures }
}
const gitRequests = () => server.requests.filter(({ url }) => url.includes('info/refs')).length

describe('a site on another host', () => {
  test('that nobody read is not asked for', async () => {
    await pollSites(it.services)
    expect(gitRequests()).toBe(0)
  })

  test('is published when its branch moved, and looked at no more often than said', async () => {
    expect((await read('/')).text).toContain('Home')
    later(6)
    await pollSites(it.services)
    expect(await reasons()).toEqual(['first ready'])
    const { minutes } = await waiting()
    expect(minutes).toBeGreaterThan(4)
    expect(minutes).toBeLessThan(6)

    await server.repository.commitTo('trunk', { 'news.md': '# News\n' })
    const asked = gitRequests()
    await pollSites(it.services)
    expect(gitRequests()).toBe(asked)
    later(6)
    await pollSites(it.services)
    await until(async () => (await read('/news')).status === 200, { withinMs: 20_000 })
    expect(await reasons()).toEqual(['poll ready', 'first ready'])
  })

  test('whose host fails is asked ever less often, and readers keep what they have', async () => {
    await opened()
    server.tokens.clear()
    const waits: number[] = []
    for (let failures = 1; failures <= 4; failures++) {
      later(24 * 60)
      await pollSites(it.services)
      const { minutes, pollFailures } = await waiting()
      expect(pollFailures).toBe(failures)
      waits.push(minutes)
    }
    for (const [index, minutes] of waits.entries()) {
      expect(minutes).toBeGreaterThan(5 * 2 ** (index + 1) * 0.85)
      expect(minutes).toBeLessThan(5 * 2 ** (index + 1) * 1.15)
    }
    expect((await read('/')).status).toBe(200)
    server.tokens.set(server.token, 'write')
    later(24 * 60)
    await pollSites(it.services)
    expect((await waiting()).pollFailures).toBe(0)
  })

  test('that was returned to an earlier commit stays there although it is looked at', async () => {
    await opened()
    await server.repository.commitTo('trunk', { 'news.md': '# News\n' })
    later(6)
    await pollSites(it.services)
    await until(async () => (await read('/news')).status === 200, { withinMs: 20_000 })
    const { body } = await it.call('GET', `/v1/projects/${project.id}/deployments`)
    await it.call('POST', `/v1/projects/${project.id}/deployments/${body.deployments[1].id}/restore`)
    await until(async () => (await read('/news')).status === 404, { withinMs: 20_000 })
    later(6)
    await pollSites(it.services)
    expect(await reasons()).toEqual(['return ready', 'poll ready', 'first ready'])
  })

  test('links to its host’s page to edit a file', async () => {
    await opened()
    const site = await it.services.liveSites.findBySlug(project.slug)
    expect(site?.editUrl('index.md')).toBe(`${server.repositoryUrl}/_edit/trunk/index.md`)
  })

  test('returns to an earlier commit although its host does not answer', async () => {
    await opened()
    await server.repository.commitTo('trunk', { 'news.md': '# News\n' })
    later(6)
    await pollSites(it.services)
    await until(async () => (await read('/news')).status === 200, { withinMs: 20_000 })
    server.tokens.clear()
    const { body } = await it.call('GET', `/v1/projects/${project.id}/deployments`)
    await it.call('POST', `/v1/projects/${project.id}/deployments/${body.deployments[1].id}/restore`)
    await until(async () => (await read('/news')).status === 404, { withinMs: 20_000 })
  })
})

test('where polling is turned off, nobody is asked', async () => {
  await opened()
  const asked = gitRequests()
  later(24 * 60)
  await pollSites({ ...it.services, config: { ...it.services.config, sitePollMinutes: 0 } })
  expect(gitRequests()).toBe(asked)
})
