import { expect, onTestFinished, test } from 'vitest'
import { startGiteaServer } from '#tests/harness/hosts/gitea-server.ts'
import { createVendorFixture, hostDepsOf, hostInputOf } from '#tests/harness/hosts/vendor-fixture.ts'
import { describeVendorHost } from '../vendor-host.contract.ts'
import { gitea } from './code-host.ts'

describeVendorHost('Gitea', { open: async () => createVendorFixture(gitea, await startGiteaServer()) })

const branch = 'docent/job-1'
const base = 'trunk'

test.each(['open', 'closed'] as const)('finds an %s pull request behind many others', async (state) => {
  const server = await startGiteaServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { repository } = server
  const { number } = repository.addPullRequest({ title: 'Ours', branch, base, state })
  for (let count = 0; count < 120; count++)
    repository.addPullRequest({ title: 'Theirs', branch: `a/${count}`, base, state })
  const host = gitea(hostInputOf(server), hostDepsOf())
  expect(await host.findPullRequest({ branch, base })).toMatchObject({ number, state, title: 'Ours' })
  expect(await host.findPullRequest({ branch: 'docent/none', base })).toBeNull()
})
