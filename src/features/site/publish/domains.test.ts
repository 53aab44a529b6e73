import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { type Answer, createTestApp, type TestApp } from '#tests/harness/test-app.ts'

let it: TestApp
let stage: SiteStage
beforeAll(async () => {
  it = await createTestApp({ settings: { baseUrl: 'https://docent.example' } })
})
beforeEach(async () => {
  stage = await createSiteStage(it, 'Named')
})
afterAll(() => it.close())

let names = 0
const freeName = () => `docs-${++names}.example.com`
const address = (id = stage.id) => `/v1/projects/${id}/domains`
const add = (name: string, id?: string): Promise<Answer> => it.call('POST', address(id), { body: { name } })

describe('a domain', () => {
  test('is added, listed, served and removed, with records', async () => {
    const name = freeName()
    const { status, body } = await add(name.toUpperCase())
    expect(status).toBe(201)
    expect(body).toMatchObject({ name, url: `https://${name}/` })
    expect((await it.call('GET', address())).body).toEqual({ domains: [body] })
    expect((await stage.site()).domains).toEqual([name])
    const site = await it.services.liveSites.findByDomain(name)
    expect(site).toMatchObject({ projectId: stage.id, base: '', origin: `https://${name}`, kind: 'live' })

    expect((await it.call('DELETE', `${address()}/${name}`)).status).toBe(204)
    expect((await it.call('GET', address())).body).toEqual({ domains: [] })
    expect(await it.services.liveSites.findByDomain(name)).toBeNull()
    expect((await it.call('DELETE', `${address()}/${name}`)).body.code).toBe('domain.not_found')
    const { records } = (await it.call('GET', '/v1/audit?limit=20')).body
    const actions = records.filter((one: { target: string }) => one.target === stage.id)
    expect(actions.map((one: { action: string }) => one.action)).toEqual(
      expect.arrayContaining(['site.add_domain', 'site.remove_domain']),
    )
  })

  test('belongs to one project over all organizations, and nobody is told to which', async () => {
    const name = freeName()
    await add(name)
    const { key } = await it.createOrganization('Rival')
    const theirs = (await it.call('POST', '/v1/projects', { key, body: { name: 'Rival docs' } })).body
    const own = await createSiteStage(it, 'Second')
    const refusals = [
      await it.call('POST', address(theirs.id), { key, body: { name } }),
      await add(name, own.id),
      await add(name),
    ]
    for (const { status, body } of refusals) {
      expect([status, body.code]).toEqual([409, 'domain.taken'])
      expect(body.error).toBe(refusals[0]!.body.error)
      expect(body.error).not.toMatch(/prj_|org_|Named/)
    }
    const removal = await it.call('DELETE', `${address(theirs.id)}/${name}`, { key })
    expect([removal.status, removal.body.code]).toEqual([404, 'domain.not_found'])
    expect((await it.services.liveSites.findByDomain(name))?.projectId).toBe(stage.id)
  })

  test('is given to one of those who ask for it at once', async () => {
    const name = freeName()
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  })

  test('goes with its project', async () => {
    const name = freeName()
    await add(name)
    await it.call('DELETE', `/v1/projects/${stage.id}`)
    const next = await createSiteStage(it, 'Heir')
    expect((await add(name, next.id)).status).toBe(201)
  })

  test.each([
    'docent.example',
    'DOCENT.example.',
    'a.localhost',
    '127.0.0.1',
    'docs.example.com:80',
    'docs',
    '*.a.de',
    'a b.de',
  ])('is not %s', async (name) => {
    const { status, body } = await add(name)
    expect([status, body.code, body.details[0].path]).toEqual([400, 'request.invalid', 'name'])
  })
})
