import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hosts } from '#backends/hosts/hosts.ts'
import { newId } from '#base/ids.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { type ContractFixture, describeCodeHost } from '../code-host.contract.ts'
import { gitDirOf } from './code-host.ts'
import { findPullRequest } from './store.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())

const defaultBranch = 'docs/next'
let projects = 0

interface BuiltinFixture extends ContractFixture {
  projectId: string
  git(...args: string[]): Promise<string>
}

async function open(): Promise<BuiltinFixture> {
  const source = { provider: 'builtin', ref: defaultBranch }
  const { body: project } = await it.call('POST', '/v1/projects', { body: { name: `Host ${++projects}`, source } })
  const { db, clock, config } = it.services
  const gitFolder = dataPaths(config.data).git
  const projectId = project.id
  const gitDir = gitDirOf({ gitFolder, projectId })
  const input = { projectId, repository: project.source.repository, apiUrl: null, token: null }
  const host = hosts.builtin(input, { db, clock, gitFolder })

  async function git(...args: string[]): Promise<string> {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    return (await promisify(execFile)('git', ['--git-dir', gitDir, ...identity, ...args])).stdout.trim()
  }

  async function decide(number: number, action: 'merge' | 'close'): Promise<void> {
    const { branch } = await host.getPullRequest(number)
    const head = await git('rev-parse', `refs/heads/${branch}`)
    const answer = await it.call('POST', `/git/${project.slug}/pulls/${number}/${action}`, {
      body: `head=${head}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBe(303)
  }

  return {
    host,
    defaultBranch,
    projectId,
    git,
    async commitTo(branch) {
      const ref = `refs/heads/${branch}`
      const parent = await git('rev-parse', ref).catch(() => git('rev-parse', `refs/heads/${defaultBranch}`))
      const tree = await git('rev-parse', `${parent}^{tree}`)
      await git('update-ref', ref, await git('commit-tree', tree, '-p', parent, '-m', `Commit to ${newId('job')}`))
    },
    mergePullRequest: (number) => decide(number, 'merge'),
    closePullRequest: (number) => decide(number, 'close'),
    async readPullRequest(number) {
      const { title, body, draft } = (await findPullRequest(db, { projectId, number }))!
      return { title, body, draft }
    },
    async [Symbol.asyncDispose]() {
      await it.call('DELETE', `/v1/projects/${projectId}`)
    },
  }
}

describeCodeHost('builtin', { open })

describe('pull requests of the built-in host', () => {
  const asked = (branch: string) => ({ branch, base: defaultBranch, title: 'T', body: 'B', draft: false })

  test('are numbered from 1 in each project, without gaps, also when many are opened at once and some refused', async () => {
    await using first = await open()
    await using second = await open()
    for (const { commitTo } of [first, second]) for (let index = 0; index < 6; index++) await commitTo(`b/${index}`)
    const tries = [first, second].flatMap(({ host }) =>
      [0, 1, 2, 3, 4, 5, 0, 1, 2].map((index) => host.createPullRequest(asked(`b/${index}`))),
    )
    await Promise.allSettled(tries)
    for (const { host } of [first, second]) {
      const found = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((index) => host.findPullRequest({ branch: `b/${index}`, base: defaultBranch })),
      )
      expect(found.map((one) => one!.number).sort()).toEqual([1, 2, 3, 4, 5, 6])
    }
  })

  test('have their page beside the address that the repository is cloned from', async () => {
    await using fixture = await open()
    await fixture.commitTo('b')
    const { url } = await fixture.host.createPullRequest(asked('b'))
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4400\/git\/host-\d+\/pulls\/1$/)
    expect((await fixture.host.getRepository()).webUrl).toBe(url.replace('/pulls/1', ''))
  })

  test.each<[string, (fixture: BuiltinFixture) => Promise<unknown>, string]>([
    [
      'merged when its commits came into the base by a push',
      ({ git }) => git('update-ref', `refs/heads/${defaultBranch}`, 'refs/heads/b'),
      'merged',
    ],
    [
      'merged when its commits came into the base and the branch was deleted',
      async ({ git }) => {
        await git('update-ref', `refs/heads/${defaultBranch}`, 'refs/heads/b')
        await git('update-ref', '-d', 'refs/heads/b')
      },
      'merged',
    ],
    ['closed when its branch was deleted', ({ git }) => git('update-ref', '-d', 'refs/heads/b'), 'closed'],
    ['closed when its base was deleted', ({ git }) => git('update-ref', '-d', `refs/heads/${defaultBranch}`), 'closed'],
    [
      'closed when its branch was put back to its base',
      ({ git }) => git('update-ref', 'refs/heads/b', `refs/heads/${defaultBranch}`),
      'closed',
    ],
    ['open when its branch got another commit', ({ commitTo }) => commitTo('b'), 'open'],
    ['open when its base got another commit', ({ commitTo }) => commitTo(defaultBranch), 'open'],
  ])('are %s', async (_title, act, state) => {
    await using fixture = await open()
    await fixture.commitTo('b')
    const { number } = await fixture.host.createPullRequest(asked('b'))
    await act(fixture)
    expect(await fixture.host.getPullRequest(number)).toMatchObject({ number, state })
    expect(await fixture.host.findPullRequest({ branch: 'b', base: defaultBranch })).toMatchObject({ number, state })
    const row = (await findPullRequest(it.services.db, { projectId: fixture.projectId, number }))!
    expect([row.endedAt !== null, row.headCommit !== null, row.baseCommit !== null]).toEqual([
      state !== 'open',
      true,
      true,
    ])
  })

  test('are not opened for a branch that has nothing new', async () => {
    await using fixture = await open()
    await fixture.git('update-ref', 'refs/heads/same', `refs/heads/${defaultBranch}`)
    await expect(fixture.host.createPullRequest(asked('same'))).rejects.toMatchObject({ code: 'host.nothing_to_merge' })
  })

  test('take text that PostgreSQL would not', async () => {
    await using fixture = await open()
    await fixture.commitTo('b')
    const { number, title } = await fixture.host.createPullRequest({ ...asked('b'), title: 'a\0b\ud800', body: '\0' })
    expect(title).toBe('ab\ufffd')
    expect(await fixture.readPullRequest(number)).toMatchObject({ title, body: '' })
  })

  test('of a project that is gone are not found', async () => {
    const fixture = await open()
    await fixture.commitTo('b')
    await fixture[Symbol.asyncDispose]()
    await expect(fixture.host.createPullRequest(asked('b'))).rejects.toMatchObject({
      kind: 'not_found',
      code: 'host.repository_not_found',
    })
  })
})
