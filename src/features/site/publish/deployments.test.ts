import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { plainGit } from '#tests/harness/git-history.ts'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { type Answer, createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'

let it: TestApp
let stage: SiteStage
let first: string
let second: string
beforeAll(async () => {
  it = await createTestApp({ worker: true })
})
beforeEach(async () => {
  stage = await createSiteStage(it, 'Deployed')
  first = stage.head()
  await stage.open()
  second = await stage.push({ 'second.mdx': '# Second\n' })
  await stage.live(second)
})
afterAll(() => it.close())

const address = () => `/v1/projects/${stage.id}/deployments`
const deploy = (body: object): Promise<Answer> => it.call('POST', address(), { body })
const restore = (id: string): Promise<Answer> => it.call('POST', `${address()}/${id}/restore`)
const idOf = async (commit: string) => (await stage.deployments()).find((one) => one.commit === commit).id
const isShown = async (path: string) => (await stage.read(path)).status === 200

async function audited(action: string): Promise<{ target: string; details: object }[]> {
  const { records } = (await it.call('GET', '/v1/audit?limit=250')).body
  return records.filter((one: { action: string; target: string }) => one.action === action && one.target === stage.id)
}

describe('returning to an earlier deployment', () => {
  test('makes its commit live again, as a new deployment with a name and a record', async () => {
    const id = await idOf(first)
    const { status, body } = await restore(id)
    expect(status).toBe(202)
    expect(body).toMatchObject({ reason: 'return', commit: first, state: 'waiting', isLive: false })
    expect(body.by).not.toBeNull()
    expect(await stage.ended(body.id)).toMatchObject({
      state: 'ready',
      isLive: true,
      changes: { added: 0, changed: 0, removed: 1 },
    })
    expect(await isShown('/second')).toBe(false)
    expect(await audited('site.return')).toMatchObject([{ details: { deploymentId: id, commit: first } }])
  })

  test('holds against late news of the same head, and ends when the branch moves', async () => {
    await stage.ended((await restore(await idOf(first))).body.id)
    await stage.announce()
    await stage.announce()
    const third = stage.commit({ 'third.mdx': '# Third\n' })
    expect((await stage.site()).live.commit).toBe(first)
    await stage.announce()
    await stage.live(third)
    expect((await stage.deployments()).map(({ reason }) => reason)).toEqual(['push', 'return', 'push', 'first'])
    expect(await isShown('/second')).toBe(true)
  })

  test('ends by publishing now', async () => {
    await stage.ended((await restore(await idOf(first))).body.id)
    const { body } = await deploy({})
    expect(await stage.ended(body.id)).toMatchObject({ state: 'ready', reason: 'manual', commit: second, isLive: true })
  })

  test('is refused for what never was live', async () => {
    await it.call('PATCH', `/v1/projects/${stage.id}`, { body: { source: { docsPath: 'nowhere' } } })
    const failed = await until(async () => (await stage.deployments()).find(({ state }) => state === 'failed'))
    expect((await restore(failed.id)).body.code).toBe('deployment.never_live')
    expect((await restore(newId('dpl'))).body.code).toBe('deployment.not_found')
    expect((await restore('nonsense')).body.code).toBe('deployment.not_found')
  })

  test('works for a commit that no branch has any more', async () => {
    const lost = await stage.push({ 'lost.mdx': '# Lost\n' })
    await stage.live(lost)
    const rewritten = await rewrite(second)
    await stage.live(rewritten)
    const { body } = await restore(await idOf(lost))
    expect(await stage.ended(body.id)).toMatchObject({ state: 'ready', commit: lost })
    expect(await isShown('/lost')).toBe(true)
  })

  async function rewrite(onto: string): Promise<string> {
    plainGit(stage.gitDir, ['update-ref', 'refs/heads/main', onto])
    return await stage.push({ 'other.mdx': '# Other\n' })
  }
})

describe('publishing now', () => {
  test('makes a deployment also when nothing is new', async () => {
    const answer = await deploy({})
    expect(answer.status).toBe(202)
    const ended = await stage.ended(answer.body.id)
    expect(ended).toMatchObject({ state: 'ready', commit: second, changes: { added: 0, changed: 0, removed: 0 } })
    expect(await audited('site.publish')).toHaveLength(1)
  })

  test('of a commit or another branch stays until the project’s branch moves', async () => {
    const draft = stage.commit({ 'draft.mdx': '# Draft\n' }, { branch: 'draft/one' })
    const byRef = await deploy({ ref: 'draft/one' })
    expect(await stage.ended(byRef.body.id)).toMatchObject({ state: 'ready', commit: draft, ref: 'draft/one' })
    const byCommit = await deploy({ commit: first.slice(0, 12) })
    expect(await stage.ended(byCommit.body.id)).toMatchObject({ state: 'ready', commit: first, ref: 'main' })
    await stage.announce()
    const next = await stage.push({ 'next.mdx': '# Next\n' })
    await stage.live(next)
    expect((await stage.deployments()).map(({ reason }) => reason)).toEqual([
      'push',
      'manual',
      'manual',
      'push',
      'first',
    ])
  })

  test.each([
    [{ ref: 'no-such-branch' }, 404, 'site.branch_not_found'],
    [{ commit: '0'.repeat(40) }, 404, 'site.commit_not_found'],
    [{ commit: '123' }, 400, 'request.invalid'],
    [{ commit: 'refs/heads/main' }, 400, 'request.invalid'],
    [{ ref: 'a..b' }, 400, 'request.invalid'],
    [{ ref: '--upload-pack=x' }, 400, 'request.invalid'],
    [{ ref: 'main', commit: '0123456' }, 400, 'request.invalid'],
  ])('%j is refused with %i', async (body, status, code) => {
    const answer = await deploy(body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('does not publish a commit that no branch has and that never was live', async () => {
    const taken = stage.commit({ 'taken-back.mdx': '# A secret\n' }, { branch: 'taken-back' })
    plainGit(stage.gitDir, ['update-ref', '-d', 'refs/heads/taken-back'])
    const answer = await deploy({ commit: taken })
    expect([answer.status, answer.body.code]).toEqual([404, 'site.commit_not_found'])
  })
})

describe('deployments', () => {
  test('are listed newest first, in pages, without what is long', async () => {
    const { body } = await it.call('GET', `${address()}?limit=1`)
    expect(body.hasMore).toBe(true)
    expect(body.deployments).toHaveLength(1)
    expect(body.deployments[0]).toMatchObject({ commit: second, isLive: true })
    expect(Object.keys(body.deployments[0])).not.toContain('warningList')
    const next = (await it.call('GET', `${address()}?limit=1&offset=1`)).body
    expect(next).toMatchObject({ hasMore: false, deployments: [{ commit: first, isLive: false, state: 'ready' }] })
  })

  test('of another organization are not there', async () => {
    const { key } = await it.createOrganization('Elsewhere')
    const id = await idOf(first)
    for (const [method, url] of [
      ['GET', `/v1/projects/${stage.id}/site`],
      ['GET', address()],
      ['GET', `${address()}/${id}`],
      ['POST', `${address()}/${id}/restore`],
      ['GET', `/v1/projects/${stage.id}/domains`],
    ] as const) {
      const { status, body } = await it.call(method, url, { key })
      expect([status, body.code]).toEqual([404, 'project.not_found'])
    }
    const foreign = (await it.call('POST', '/v1/projects', { key, body: { name: 'Theirs' } })).body
    const other = await it.call('GET', `/v1/projects/${foreign.id}/deployments/${id}`, { key })
    expect([other.status, other.body.code]).toEqual([404, 'deployment.not_found'])
    for (const body of [{}, { commit: first }]) {
      expect((await it.call('POST', address(), { key, body })).status).toBe(404)
    }
  })

  test('need a key that may write to be made', async () => {
    const { body } = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    expect((await it.call('GET', address(), { key: body.key })).status).toBe(200)
    expect((await it.call('POST', address(), { key: body.key, body: {} })).status).toBe(403)
    expect((await it.call('POST', address(), { key: null, body: {} })).status).toBe(401)
  })
})
