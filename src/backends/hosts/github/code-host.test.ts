import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { type GitHubServerOptions, startGitHubServer } from '#tests/harness/hosts/github-server.ts'
import { createVendorFixture, hostDepsOf, hostInputOf } from '#tests/harness/hosts/vendor-fixture.ts'
import { describeCodeHost } from '../code-host.contract.ts'
import { describeVendorHost } from '../vendor-host.contract.ts'
import { github } from './code-host.ts'

const branch = 'docent/job-1'
const base = 'trunk'
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' } as const
const githubApp = { appId: '12345', privateKey: keys.privateKey }

describeVendorHost('GitHub', { open: async () => createVendorFixture(github, await startGitHubServer()) })

describeCodeHost('GitHub, signed in as an app', {
  async open() {
    const app = { id: githubApp.appId, publicKey: keys.publicKey, permissions, now: () => new Date() }
    const server = await startGitHubServer({ app, token: '' })
    server.tokens.clear()
    return createVendorFixture((input, deps) => github({ ...input, token: null }, deps), server, {
      deps: { githubApp },
    })
  },
})

async function start(options: GitHubServerOptions = {}) {
  const server = await startGitHubServer(options)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

test('opens a normal pull request where the repository has no drafts', async () => {
  const server = await start({ supportsDrafts: false })
  await server.repository.commitTo(branch)
  const host = github(hostInputOf(server), hostDepsOf())
  const { number } = await host.createPullRequest({ branch, base, title: 'A', body: 'B', draft: true })
  expect(server.isDraft(number)).toBe(false)
  expect(server.repository.pullRequests).toHaveLength(1)
})

test('takes a branch with nothing new for a fault of the request', async () => {
  const server = await start()
  const host = github(hostInputOf(server), hostDepsOf())
  await expect(
    host.createPullRequest({ branch: base, base, title: 'A', body: 'B', draft: false }),
  ).rejects.toMatchObject({ kind: 'invalid', code: 'host.pull_request_refused' })
})

describe('a GitHub App', () => {
  let now = new Date('2026-03-01T12:00:00Z')
  async function startWithApp(
    given: Record<string, 'read' | 'write'> | undefined,
    change: Partial<typeof githubApp> = {},
  ) {
    now = new Date('2026-03-01T12:00:00Z')
    const app = { id: githubApp.appId, publicKey: keys.publicKey, now: () => now, ...(given && { permissions: given }) }
    const server = await start({ app })
    const deps = { ...hostDepsOf(), clock: { now: () => now }, githubApp: { ...githubApp, ...change } }
    const open = () => github({ ...hostInputOf(server), token: null }, deps)
    return { server, deps, open }
  }

  test('asks for no more than a job needs, on this repository only, and keeps the token for as long as it lasts', async () => {
    const { server, open } = await startWithApp(permissions)
    const host = open()
    await host.getRepository()
    await host.findPullRequest({ branch, base })
    const needed = { repositories: ['docs'], permissions: { contents: 'write', pull_requests: 'write' } }
    expect(server.tokenRequests).toEqual([needed])

    now = new Date(now.getTime() + 49 * 60_000)
    expect(await host.openRemote()).toMatchObject({ credential: { username: 'x-access-token', password: 'ghs_1' } })
    // Too close to its end for a push that starts now.
    now = new Date(now.getTime() + 2 * 60_000)
    server.tokens.delete('ghs_1')
    const remote = await host.openRemote()
    expect(remote).toMatchObject({ credential: { password: 'ghs_2' } })
    const mirrorDir = `${server.repository.folder}/mirror.git`
    const git = await openRemoteRepository({ remote, mirrorDir })
    expect(await git.findHead(base)).toBe(await server.repository.findHead(base))
    expect(server.tokenRequests).toEqual([needed, needed])
  })

  test('signs in to a repository that was renamed', async () => {
    const { server, open } = await startWithApp(permissions)
    const host = open()
    server.rename('newco/handbook')
    expect(await host.getRepository()).toEqual({ webUrl: `${server.origin}/newco/handbook`, defaultBranch: base })
    expect(server.tokenRequests.at(-1)).toMatchObject({ repository_ids: [server.repositoryId] })
  })

  test.each([
    ['is not installed', undefined, /is not installed on acme\/docs/],
    ['may only read', { contents: 'read', pull_requests: 'read' }, /Contents: write/],
  ] as const)('says what is missing when it %s', async (_what, given, message) => {
    const { open } = await startWithApp(given)
    await expect(open().getRepository()).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'host.permission_missing',
      message: expect.stringMatching(message),
    })
  })

  test('is not asked where the project has a token of its own', async () => {
    const { server, deps } = await startWithApp(permissions)
    await github(hostInputOf(server), deps).getRepository()
    expect(server.tokenRequests).toEqual([])
  })

  test('is known by a key whose line breaks are written out', async () => {
    const { open } = await startWithApp(permissions, { privateKey: keys.privateKey.replaceAll('\n', '\\n') })
    expect(await open().getRepository()).toMatchObject({ defaultBranch: base })
  })

  test('is refused with the key of another app', async () => {
    const { open } = await startWithApp(permissions, { appId: '999' })
    await expect(open().getRepository()).rejects.toMatchObject({ kind: 'unauthenticated', code: 'host.token_refused' })
  })

  test('is not opened with something that is no key, and the error does not quote it', async () => {
    const { open } = await startWithApp(permissions, { privateKey: 'hunter2' })
    expect(open).toThrow(expect.objectContaining({ kind: 'invalid', code: 'host.app_key_invalid' }))
    expect(open).not.toThrow(/hunter2/)
  })
})
