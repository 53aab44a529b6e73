import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plainGit } from '#tests/harness/git-history.ts'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { type Answer, createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'

let now = new Date('2030-05-01T12:00:00Z')
let it: TestApp
let stage: SiteStage
let draft: string
beforeAll(async () => {
  it = await createTestApp({ clock: { now: () => now }, worker: true })
})
beforeEach(async () => {
  stage = await createSiteStage(it, 'Previewed')
  draft = stage.commit({ 'draft.mdx': '# A draft\n' }, { branch: 'docs/draft' })
})
afterAll(() => it.close())

/** Somebody out there, without a key unless one is given. */
const reader = { remoteAddress: '203.0.113.9', headers: { host: 'docs.example' } }
const read = (url: string, key: string | null = null): Promise<Answer> => it.call('GET', url, { ...reader, key })
const ask = (body: object): Promise<Answer> => it.call('POST', `/v1/projects/${stage.id}/previews`, { body })
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

describe('a preview of a branch', () => {
  test('is for keys of the organization and for readers on this machine', async () => {
    const { status, body } = await ask({ ref: 'docs/draft' })
    expect(status).toBe(201)
    const path = pathOf(body.url)
    expect(path).toBe(`/previews/${stage.slug}/docs~draft/`)
    const own = await it.call('GET', `${path}draft`, reader)
    expect([own.status, own.text.includes('A draft')]).toEqual([200, true])
    expect((await read(`${path}draft`)).status).toBe(401)
    const { key } = await it.createOrganization('Curious')
    expect((await read(`${path}draft`, key)).status).toBe(404)
    const here = await it.call('GET', `${path}draft`, { key: null, headers: { host: 'localhost:4400' } })
    expect(here.status).toBe(200)
  })

  test('is not what readers of the site get, and nobody lists it', async () => {
    await ask({ ref: 'docs/draft' })
    expect((await stage.read('/draft')).status).toBe(404)
    expect((await stage.deployments()).map(({ commit }) => commit)).not.toContain(draft)
    const { body } = await ask({ ref: 'docs/draft' })
    const { headers } = await read(`${pathOf(body.shareUrl)}draft`)
    expect(headers['x-robots-tag']).toContain('noindex')
    expect(headers['cache-control']).toContain('no-store')
  })

  test('follows the branch', async () => {
    const { body } = await ask({ ref: 'docs/draft' })
    const path = pathOf(body.shareUrl)
    expect((await read(`${path}draft`)).text).toContain('A draft')
    await stage.push({ 'draft.mdx': '# A better draft\n' }, { branch: 'docs/draft' })
    await until(async () => (await read(`${path}draft`)).text.includes('A better draft'), { withinMs: 5_000 })
    plainGit(stage.gitDir, ['update-ref', '-d', 'refs/heads/docs/draft'])
    await until(async () => (await read(`${path}draft`)).status === 404, { withinMs: 5_000 })
  })

  test('is asked for with a record of it', async () => {
    const { body } = await ask({ ref: 'docs/draft', expiresInHours: 2 })
    expect(body.expiresAt).toBe(new Date(now.getTime() + 2 * 3_600_000).toISOString())
    const { records } = (await it.call('GET', '/v1/audit?limit=50')).body
    const record = records.find(
      (one: { target: string; action: string }) => one.target === stage.id && one.action === 'site.share_preview',
    )
    expect(record.details).toMatchObject({ ref: 'docs/draft', expiresAt: body.expiresAt })
    expect(JSON.stringify(record)).not.toContain(body.shareUrl.slice(-44, -1))
  })

  test.each([
    [{}, 400],
    [{ ref: 'main', commit: '0123456' }, 400],
    [{ ref: 'a~b' }, 400],
    [{ ref: 'main', expiresInHours: 0 }, 400],
    [{ ref: 'main', expiresInHours: 9000 }, 400],
    [{ ref: 'missing' }, 404],
    [{ commit: 'f'.repeat(40) }, 404],
  ])('%j is refused with %i', async (body, status) => {
    expect((await ask(body)).status).toBe(status)
  })
})

describe('a preview of a commit', () => {
  test('stays what it is', async () => {
    const { body } = await ask({ commit: draft.slice(0, 9) })
    const path = pathOf(body.shareUrl)
    expect(path).toContain(draft)
    stage.commit({ 'draft.mdx': '# Another\n' }, { branch: 'docs/draft' })
    expect((await read(`${path}draft`)).text).toContain('A draft')
  })

  test('is not there for one that no branch has', async () => {
    plainGit(stage.gitDir, ['update-ref', '-d', 'refs/heads/docs/draft'])
    expect((await ask({ commit: draft })).body.code).toBe('site.commit_not_found')
    expect((await it.call('GET', `/previews/${stage.slug}/${draft}/draft`)).status).toBe(404)
  })

  test('is not that of another project, whose objects are elsewhere', async () => {
    const other = await createSiteStage(it, 'Other')
    expect((await it.call('GET', `/previews/${other.slug}/${draft}/draft`)).status).toBe(404)
  })

  test('is not replaced by a branch that is called like it', async () => {
    const name = draft.slice(0, 10)
    stage.commit({ 'draft.mdx': '# Not the draft\n' }, { branch: name })
    const { text } = await it.call('GET', `/previews/${stage.slug}/${name}/draft`)
    expect(text).toContain('A draft')
  })
})

describe('a link to share', () => {
  test('works for everybody until it expires', async () => {
    const { body } = await ask({ ref: 'docs/draft', expiresInHours: 1 })
    const path = `${pathOf(body.shareUrl)}draft`
    const madeAt = now
    expect((await read(path)).status).toBe(200)
    now = new Date(madeAt.getTime() + 3_599_000)
    expect((await read(path)).status).toBe(200)
    now = new Date(madeAt.getTime() + 3_600_000)
    expect((await read(path)).status).toBe(404)
    // Who has a key needs no signature, so one that is over does no harm.
    const found = await it.services.liveSites.findPreview({
      slug: stage.slug,
      name: decodeURIComponent(path.split('/')[3]!),
      organizationId: (await organizationOf()) ?? null,
    })
    expect(found?.kind).toBe('preview')
    now = madeAt
  })

  async function organizationOf(): Promise<string> {
    const row = await it.services.db
      .selectFrom('projects')
      .select('organizationId')
      .where('id', '=', stage.id)
      .executeTakeFirstOrThrow()
    return row.organizationId
  }

  test('works for its branch of its project alone', async () => {
    stage.commit({ 'draft.mdx': '# Secret\n' }, { branch: 'secret' })
    const other = await createSiteStage(it, 'Neighbour')
    other.commit({ 'draft.mdx': '# Theirs\n' }, { branch: 'docs/draft' })
    const { body } = await ask({ ref: 'docs/draft' })
    const path = `${pathOf(body.shareUrl)}draft`
    expect((await read(path)).status).toBe(200)
    const signature = path.split('@')[1]!
    for (const forged of [
      path.replace('docs~draft', 'secret'),
      path.replace('docs~draft', draft),
      path.replace(stage.slug, other.slug),
      path.replace(/@\d+/, (expiry) => `@${Number(expiry.slice(1)) + 1}`),
      path.replace('@', '@0'),
      `/previews/${stage.slug}/docs~draft@${signature.slice(0, 11)}${'A'.repeat(43)}/draft`,
      `/previews/${stage.slug}/docs~draft@/draft`,
      `/previews/${stage.slug}/docs~draft@x-${signature.slice(11)}`,
    ]) {
      const { status, text } = await read(forged)
      // What has not even the shape of a signature asks for a key.
      expect([401, 404], forged).toContain(status)
      expect(text).not.toMatch(/Secret|Theirs|A draft/)
    }
  })

  test('is there for branches with an @ of their own', async () => {
    stage.commit({ 'draft.mdx': '# At\n' }, { branch: 'v@2/x@y' })
    const { body } = await ask({ ref: 'v@2/x@y' })
    expect((await read(`${pathOf(body.shareUrl)}draft`)).text).toContain('At')
  })
})

test('many previews at once are made one after the other, or refused for a moment', async () => {
  const commits = Array.from({ length: 30 }, (_, index) =>
    stage.commit({ 'many.mdx': `# Number ${index}\n` }, { branch: 'many' }),
  )
  const answers = await Promise.all(commits.map((commit) => it.call('GET', `/previews/${stage.slug}/${commit}/many`)))
  const good = answers.filter(({ status }) => status === 200)
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(good.length).toBeGreaterThanOrEqual(20)
  for (const [index, { status, text }] of answers.entries()) {
    if (status === 200) expect(text).toContain(`Number ${index}`)
  }
})
