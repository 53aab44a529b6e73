import { expect, onTestFinished, test } from 'vitest'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { startBitbucketServer } from '#tests/harness/hosts/bitbucket-server.ts'
import { createVendorFixture, hostDepsOf, hostInputOf } from '#tests/harness/hosts/vendor-fixture.ts'
import { describeVendorHost } from '../vendor-host.contract.ts'
import { bitbucket } from './code-host.ts'

describeVendorHost('Bitbucket', { open: async () => createVendorFixture(bitbucket, await startBitbucketServer()) })

const branch = 'docent/job-1'
const base = 'trunk'

async function start(token: string) {
  const server = await startBitbucketServer({ token })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, host: bitbucket(hostInputOf(server), hostDepsOf()) }
}

test.each([
  ['an access token', 'ATCTT3xFf', 'Bearer ATCTT3xFf', 'x-token-auth'],
  ['an API token of a person', 'ann@example.com:ATATT:1', /^Basic /, 'x-bitbucket-api-token-auth'],
  ['an app password', 'ann:secret', /^Basic /, 'ann'],
])('signs in to the API and to git with %s', async (_kind, token, authorization, username) => {
  const { server, host } = await start(token)
  expect(await host.getRepository()).toMatchObject({ defaultBranch: base })
  expect(server.requests[0]!.headers.authorization).toMatch(authorization)
  const remote = await host.openRemote()
  expect(remote).toMatchObject({ credential: { username } })
  const git = await openRemoteRepository({ remote, mirrorDir: `${server.repository.folder}/mirror.git` })
  expect(await git.findHead(base)).toBe(await server.repository.findHead(base))
})

test('keeps the reviewers that people have asked', async () => {
  const { server, host } = await start('t0ken')
  await server.repository.commitTo(branch)
  const { number } = await host.createPullRequest({ branch, base, title: 'A', body: 'B', draft: false })
  server.repository.get(number).reviewers = ['{504c3b62}']
  await host.updatePullRequest(number, { title: 'C', body: 'D' })
  expect(server.repository.get(number)).toMatchObject({ title: 'C', reviewers: ['{504c3b62}'] })
})

test('takes a pull request that another one replaced for closed', async () => {
  const { server, host } = await start('t0ken')
  await server.repository.commitTo(branch)
  const { number } = await host.createPullRequest({ branch, base, title: 'A', body: 'B', draft: false })
  server.superseded.add(number)
  expect(await host.findPullRequest({ branch, base })).toMatchObject({ number, state: 'closed' })
})
