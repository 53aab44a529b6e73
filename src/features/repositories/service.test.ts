import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#base/ids.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { openSource } from './service.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ worker: true })
})
afterAll(() => it.close())

async function create(source?: object): Promise<{ id: string; slug: string; source: { repository: string } }> {
  const { status, body } = await it.call('POST', '/v1/projects', { body: { name: 'Source', source } })
  expect(status).toBe(201)
  return body
}

test('the source of a project on the built-in host is the repository in the data folder', async () => {
  const { id, source } = await create({ provider: 'builtin', docsPath: 'docs' })
  const opened = await openSource(it.services, id)
  expect(opened).toMatchObject({ provider: 'builtin', repository: source.repository, ref: 'main', docsPath: 'docs' })
  const gitDir = join(dataPaths(it.services.config.data).git, `${id}.git`)
  expect(await opened.host.openRemote()).toEqual({ kind: 'local', gitDir })
})

test.each(['github', 'gitlab', 'gitea', 'bitbucket'])(
  'the source of a project on %s has its token and a mirror of its own',
  async (provider) => {
    const repository = 'https://git.example.com/acme/docs'
    const { id } = await create({ provider, repository, ref: 'next', token: 't0ken' })
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      asked.push(JSON.stringify([...new Headers(init?.headers)]))
      return new Response('{}', { status: 401 })
    }
    const opened = await openSource({ ...it.services, fetch }, id)
    expect(opened).toMatchObject({ provider, repository, ref: 'next' })
    expect(opened.mirrorDir).toBe(join(dataPaths(it.services.config.data).mirrors, `${id}.git`))
    await expect(opened.host.getRepository()).rejects.toMatchObject({ code: 'host.token_refused' })
    expect(asked.join()).toMatch(/t0ken|dDBrZW4/)
  },
)

test('a project that does not exist has no source', async () => {
  for (const id of [newId('prj'), 'x', 'prj_\0']) {
    await expect(openSource(it.services, id)).rejects.toMatchObject({ code: 'project.not_found' })
  }
})

test('deleting a project deletes its mirror, and no other', async () => {
  const source = { provider: 'github', repository: 'acme/docs' }
  const [kept, deleted] = [await create(source), await create(source)]
  const mirrorOf = ({ id }: { id: string }) => join(dataPaths(it.services.config.data).mirrors, `${id}.git`)
  for (const project of [kept, deleted]) mkdirSync(join(mirrorOf(project), 'objects'), { recursive: true })
  expect((await it.call('DELETE', `/v1/projects/${deleted.id}`)).status).toBe(204)
  await vi.waitFor(() => expect(existsSync(mirrorOf(deleted))).toBe(false), { timeout: 30_000 })
  expect(existsSync(mirrorOf(kept))).toBe(true)
})
