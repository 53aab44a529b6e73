import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { HostInput } from '#backends/hosts/code-host.ts'
import type { HostDeps, HostFactory } from '#backends/hosts/host-factory.ts'
import type { VendorFixture } from '#backends/hosts/vendor-host.contract.ts'
import { systemClock } from '#base/clock.ts'
import type { VendorServer } from './vendor-server.ts'

/** What a host is opened with in tests: real requests, waits that only count, and limits that a test can wait for. */
export function hostDepsOf({
  waits = [],
  timeoutMs = 20_000,
}: {
  waits?: number[]
  timeoutMs?: number
} = {}): HostDeps {
  return {
    fetch,
    clock: systemClock,
    wait: async (milliseconds) => void waits.push(milliseconds),
    limits: { timeoutMs, mostBytes: 1_000_000 },
  }
}

export function hostInputOf(server: VendorServer): HostInput {
  const { repositoryUrl, apiUrl, token } = server
  return { projectId: 'prj_1', repository: repositoryUrl, apiUrl, token }
}

/** A vendor's server with its one repository, as the contract of its host needs it. */
export async function createVendorFixture(
  factory: HostFactory,
  server: VendorServer,
  { deps = {} }: { deps?: Partial<HostDeps> } = {},
): Promise<VendorFixture> {
  const { repository } = server
  const waits: number[] = []
  const input = hostInputOf(server)
  const openHost: VendorFixture['openHost'] = ({ timeoutMs, ...change }) =>
    factory({ ...input, ...change }, { ...hostDepsOf(timeoutMs ? { waits, timeoutMs } : { waits }), ...deps })
  const elsewhere = { url: '', requests: 0 }
  const other = createServer((_request, response) => {
    elsewhere.requests += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  elsewhere.url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  let isStopped = false
  async function stop(): Promise<void> {
    if (isStopped) return
    isStopped = true
    await server[Symbol.asyncDispose]()
  }

  return {
    host: openHost({}),
    token: server.token,
    mirrorDir: join(repository.folder, 'mirror.git'),
    waits,
    openHost,
    defaultBranch: repository.defaultBranch,
    commitTo: (branch) => repository.commitTo(branch),
    deleteBranch: repository.deleteBranch,
    mergePullRequest: repository.merge,
    async closePullRequest(number) {
      repository.close(number)
    },
    async readPullRequest(number) {
      const { title, body } = repository.get(number)
      return { title, body, draft: server.isDraft(number) }
    },
    fail: server.fail,
    recover: server.recover,
    setAccess(access) {
      if (access === 'expired') server.tokens.clear()
      else for (const token of server.tokens.keys()) server.tokens.set(token, access)
    },
    renameRepository() {
      server.rename(server.path.replace(/[^/]+$/, 'handbook').replace(/^acme/, 'newco'))
      return { webUrl: server.repositoryUrl }
    },
    openFromFork(branch) {
      repository.addPullRequest({ title: 'Theirs', branch, base: repository.defaultBranch, isFromFork: true })
    },
    countPullRequests: () => repository.pullRequests.filter(({ isFromFork }) => !isFromFork).length,
    countRequests: (method) => server.requests.filter((request) => request.method === method).length,
    elsewhere,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await new Promise((resolve) => other.close(resolve))
    },
  }
}
