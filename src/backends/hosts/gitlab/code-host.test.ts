import { expect, onTestFinished, test } from 'vitest'
import { startGitLabServer } from '#tests/harness/hosts/gitlab-server.ts'
import { createVendorFixture, hostDepsOf, hostInputOf } from '#tests/harness/hosts/vendor-fixture.ts'
import { describeVendorHost } from '../vendor-host.contract.ts'
import { gitlab } from './code-host.ts'

describeVendorHost('GitLab', { open: async () => createVendorFixture(gitlab, await startGitLabServer()) })

const branch = 'docent/job-1'
const base = 'trunk'

async function start() {
  const server = await startGitLabServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, host: gitlab(hostInputOf(server), hostDepsOf()) }
}

test('takes a merge request that GitLab merges at this moment for merged', async () => {
  const { server, host } = await start()
  await server.repository.commitTo(branch)
  const { number } = await host.createPullRequest({ branch, base, title: 'A', body: 'B', draft: false })
  server.locked.add(number)
  expect(await host.getPullRequest(number)).toMatchObject({ state: 'merged' })
})

test('leaves it to people whether a merge request is a draft', async () => {
  const { server, host } = await start()
  await server.repository.commitTo(branch)
  const { number } = await host.createPullRequest({ branch, base, title: 'A', body: 'B', draft: true })
  expect(server.repository.get(number).title).toBe('Draft: A')
  server.repository.get(number).title = 'A, ready'
  await host.updatePullRequest(number, { title: 'B', body: '' })
  expect(server.repository.get(number).title).toBe('B')
  server.repository.get(number).title = '[draft] B'
  expect(await host.updatePullRequest(number, { title: 'C', body: '' })).toMatchObject({ title: 'C' })
  expect(server.repository.get(number).title).toBe('Draft: C')
})

test('finds a project in a nested group, with or without the address of the API', async () => {
  const { server, host } = await start()
  expect(server.path).toBe('acme/web/docs')
  const found = { webUrl: `${server.origin}/acme/web/docs`, defaultBranch: base }
  expect(await host.getRepository()).toEqual(found)
  expect(await gitlab({ ...hostInputOf(server), apiUrl: null }, hostDepsOf()).getRepository()).toEqual(found)
})
