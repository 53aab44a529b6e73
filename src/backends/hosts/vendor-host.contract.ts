import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { type ContractFixture, describeCodeHost } from './code-host.contract.ts'
import type { CodeHost } from './code-host.ts'

/** What goes wrong between us and a vendor. */
export type VendorFault =
  /** Null: the way in which this vendor itself tells it. */
  | { kind: 'rate limited'; retryAfterSeconds: number | null }
  | { kind: 'failing'; retryAfterSeconds?: number }
  /** The work is done, but the answer is an error. */
  | { kind: 'answer lost' }
  /** Somebody opens a pull request of the same branch just before ours arrives. */
  | { kind: 'created meanwhile' }
  | { kind: 'redirect'; to: string }
  | { kind: 'malformed' | 'other shape' | 'huge' | 'hanging' }

/** A code host behind HTTP whose server does as it is told. */
export interface VendorFixture extends ContractFixture {
  /** The good one, which no error may quote. */
  token: string
  /** A place for a mirror. */
  mirrorDir: string
  /** How the host was made to wait, in milliseconds. */
  waits: number[]
  /** The same repository, or another, with another credential. */
  openHost(change: { token?: string | null; repository?: string; timeoutMs?: number }): CodeHost
  fail(fault: VendorFault, options?: { times?: number; method?: string }): void
  recover(): void
  setAccess(access: 'expired' | 'read'): void
  renameRepository(): { webUrl: string }
  deleteBranch(branch: string): Promise<void>
  openFromFork(branch: string): void
  countPullRequests(): number
  countRequests(method: string): number
  /** Another server, which counts the requests that come to it. */
  elsewhere: { url: string; requests: number }
  stop(): Promise<void>
}

const branch = 'docent/job-1'

/** What every host of a vendor keeps to besides, however its server behaves. */
export function describeVendorHost(name: string, { open }: { open(): Promise<VendorFixture> }): void {
  describeCodeHost(name, { open })

  describe(`${name} over HTTP`, () => {
    let fixture: VendorFixture
    let host: CodeHost
    beforeEach(async () => {
      fixture = await open()
      host = fixture.host
    })
    afterEach(() => fixture[Symbol.asyncDispose]())

    const find = (through = host) => through.findPullRequest({ branch, base: fixture.defaultBranch })
    const create = (through = host) =>
      through.createPullRequest({ branch, base: fixture.defaultBranch, title: 'A', body: 'B', draft: false })
    /** Each way to ask the host something. */
    const calls: [name: string, (through: CodeHost) => Promise<unknown>][] = [
      ['getRepository', (through) => through.getRepository()],
      ['openRemote', (through) => through.openRemote()],
      ['findPullRequest', (through) => find(through)],
      ['getPullRequest', (through) => through.getPullRequest(1)],
      ['createPullRequest', (through) => create(through)],
      ['updatePullRequest', (through) => through.updatePullRequest(1, { title: 'A', body: 'B' })],
    ]

    async function errorOf(promise: Promise<unknown>): Promise<Error> {
      const error = await promise.then(
        () => null,
        (thrown) => thrown,
      )
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 10 })).not.toContain(fixture.token)
      return error
    }

    test('waits for as long as the host says when that is short, and goes on', async () => {
      fixture.fail({ kind: 'rate limited', retryAfterSeconds: 2 }, { times: 1 })
      await host.getRepository()
      await fixture.commitTo(branch)
      fixture.fail({ kind: 'rate limited', retryAfterSeconds: 3 }, { times: 1, method: 'POST' })
      await create()
      expect(fixture.waits).toEqual([2000, 3000])
      expect(fixture.countPullRequests()).toBe(1)
    })

    test('leaves a longer limit to the caller, with the time to wait', async () => {
      fixture.fail({ kind: 'rate limited', retryAfterSeconds: 120 })
      const limited = { kind: 'rate_limited', code: 'host.rate_limited', retryAfterSeconds: 120 }
      for (const [name, call] of calls) expect(await errorOf(call(host)), name).toMatchObject(limited)
      expect(fixture.waits).toEqual([])
    })

    test('gives up when a short limit does not end', async () => {
      fixture.fail({ kind: 'rate limited', retryAfterSeconds: 1 })
      expect(await errorOf(host.getRepository())).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 1 })
      expect(fixture.countRequests('GET')).toBe(3)
    })

    test('understands the way in which the vendor itself tells a limit', async () => {
      fixture.fail({ kind: 'rate limited', retryAfterSeconds: null })
      const error = (await errorOf(host.getRepository())) as Error & { retryAfterSeconds: number }
      expect(error).toMatchObject({ kind: 'rate_limited', code: 'host.rate_limited' })
      expect(error.retryAfterSeconds).toBeGreaterThan(30)
      expect(error.retryAfterSeconds).toBeLessThan(100)
    })

    test('asks again when the host fails in passing', async () => {
      fixture.fail({ kind: 'failing' }, { times: 2 })
      expect((await host.getRepository()).defaultBranch).toBe(fixture.defaultBranch)
      expect(fixture.waits).toHaveLength(2)
    })

    test('says when the host goes on failing, and when to come back', async () => {
      fixture.fail({ kind: 'failing', retryAfterSeconds: 30 })
      const failing = { kind: 'unavailable', code: 'host.failing', retryAfterSeconds: 30 }
      expect(await errorOf(host.getRepository())).toMatchObject(failing)
      fixture.fail({ kind: 'failing' })
      expect(await errorOf(host.getRepository())).toMatchObject({ kind: 'unavailable', code: 'host.failing' })
      fixture.recover()
      expect((await host.getRepository()).defaultBranch).toBe(fixture.defaultBranch)
    })

    test('never sends twice what may have worked, and finds it afterwards', async () => {
      await fixture.commitTo(branch)
      fixture.fail({ kind: 'answer lost' }, { method: 'POST' })
      expect(await errorOf(create())).toMatchObject({ kind: 'unavailable' })
      expect(fixture.countRequests('POST')).toBe(1)
      fixture.recover()
      expect(await find()).toMatchObject({ state: 'open', title: 'A' })
      expect(await errorOf(create())).toMatchObject({ code: 'host.pull_request_exists' })
      expect(fixture.countPullRequests()).toBe(1)
    })

    test('leaves one pull request when somebody opens one in the same moment', async () => {
      await fixture.commitTo(branch)
      fixture.fail({ kind: 'created meanwhile' }, { times: 1, method: 'POST' })
      const number = await create().then(
        (created) => created.number,
        (thrown) => {
          expect(thrown).toMatchObject({ kind: 'conflict', code: 'host.pull_request_exists' })
          return null
        },
      )
      const found = await find()
      expect(found?.state).toBe('open')
      expect([null, found?.number]).toContain(number)
      expect(fixture.countPullRequests()).toBe(1)
    })

    test('says that the token was refused when it has expired, whatever is asked', async () => {
      await fixture.commitTo(branch)
      await create()
      const known = host
      fixture.setAccess('expired')
      const refused = { kind: 'unauthenticated', code: 'host.token_refused' }
      for (const [name, call] of calls) expect(await errorOf(call(fixture.openHost({}))), name).toMatchObject(refused)
      expect(await errorOf(known.getPullRequest(1))).toMatchObject(refused)
    })

    test('says that the repository is not to be seen when there is no token', async () => {
      expect(await errorOf(fixture.openHost({ token: null }).getRepository())).toMatchObject({
        kind: 'not_found',
        code: 'host.repository_not_found',
      })
    })

    test('names the permission that the token lacks', async () => {
      await fixture.commitTo(branch)
      const { number } = await create()
      await fixture.commitTo('docent/job-2')
      fixture.setAccess('read')
      expect(await host.getPullRequest(number)).toMatchObject({ state: 'open' })
      const text = { title: 'C', body: 'D' }
      const second = { branch: 'docent/job-2', base: fixture.defaultBranch, draft: false, ...text }
      for (const call of [() => host.createPullRequest(second), () => host.updatePullRequest(number, text)]) {
        const error = await errorOf(call())
        expect(error).toMatchObject({ kind: 'forbidden', code: 'host.permission_missing' })
        expect(error.message).toMatch(/^The token needs .*(write|"api")/)
      }
      expect(fixture.countPullRequests()).toBe(1)
    })

    test('says that a repository is not there', async () => {
      const { webUrl } = await host.getRepository()
      const other = fixture.openHost({ repository: webUrl.replace(/[^/]+$/, 'nowhere') })
      const missing = { kind: 'not_found', code: 'host.repository_not_found' }
      for (const [name, call] of calls) expect(await errorOf(call(other)), name).toMatchObject(missing)
    })

    test('follows a repository that was renamed, before and while it is used', async () => {
      const before = await host.openRemote()
      await fixture.commitTo(branch)
      const { webUrl } = fixture.renameRepository()
      const { number } = await create()
      const late = fixture.openHost({})
      expect((await late.getRepository()).webUrl).toBe(webUrl)
      const remote = await late.openRemote()
      expect(remote).toEqual({ ...before, url: `${webUrl}.git` })
      const git = await openRemoteRepository({ remote, mirrorDir: fixture.mirrorDir })
      expect(await git.findHead(branch)).not.toBeNull()
      expect(await find(late)).toMatchObject({ number, state: 'open' })
      expect(await late.updatePullRequest(number, { title: 'C', body: 'D' })).toMatchObject({ title: 'C' })
      expect(await late.getPullRequest(number)).toMatchObject({ title: 'C' })
    })

    test('follows no redirect to another address, where the token would go along', async () => {
      fixture.fail({ kind: 'redirect', to: `${fixture.elsewhere.url}/api` })
      expect(await errorOf(host.getRepository())).toMatchObject({ kind: 'not_found' })
      expect(fixture.elsewhere.requests).toBe(0)
    })

    test('follows no redirect for ever', async () => {
      fixture.fail({ kind: 'redirect', to: '?again' })
      expect(await errorOf(host.getRepository())).toMatchObject({ kind: 'not_found' })
      expect(fixture.countRequests('GET')).toBeLessThan(10)
    })

    test.each([
      ['is no JSON', { kind: 'malformed' }, 'host.answer_unreadable'],
      ['has another shape', { kind: 'other shape' }, 'host.answer_unreadable'],
      ['does not end', { kind: 'huge' }, 'host.answer_unreadable'],
      ['does not come', { kind: 'hanging' }, 'host.timed_out'],
    ] as const)('says so when the answer %s', async (_what, fault, code) => {
      fixture.fail(fault)
      const impatient = fixture.openHost({ timeoutMs: 200 })
      const asked = fault.kind === 'hanging' ? impatient : host
      expect(await errorOf(asked.getRepository())).toMatchObject({ kind: 'unavailable', code })
    })

    test('says that the host cannot be reached', async () => {
      await fixture.stop()
      expect(await errorOf(host.getRepository())).toMatchObject({ kind: 'unavailable', code: 'host.unreachable' })
      expect(fixture.waits).toHaveLength(2)
    })

    test('takes no pull request of a fork for its own', async () => {
      await fixture.commitTo(branch)
      fixture.openFromFork(branch)
      expect(await find()).toBeNull()
      const created = await create()
      expect(await find()).toEqual(created)
    })

    test('still finds a merged pull request when its branch was deleted', async () => {
      await fixture.commitTo(branch)
      const created = await create()
      await fixture.mergePullRequest(created.number)
      await fixture.deleteBranch(branch)
      expect(await find()).toEqual({ ...created, state: 'merged' })
    })

    test('hands git a credential that fetches and pushes, but not to a protected branch', async () => {
      const remote = await host.openRemote()
      expect(inspect(remote.kind === 'http' && remote.url)).not.toContain(fixture.token)
      await fixture.commitTo(branch)
      const git = await openRemoteRepository({ remote, mirrorDir: fixture.mirrorDir })
      const { defaultBranch, heads } = await git.fetch({ branches: [branch, fixture.defaultBranch] })
      expect(defaultBranch).toBe(fixture.defaultBranch)
      const commit = heads.get(branch)!
      await git.push({ branch: 'docent/job-2', commit, expected: null })
      expect(await git.findHead('docent/job-2')).toBe(commit)

      const onto = { branch: fixture.defaultBranch, commit, expected: heads.get(fixture.defaultBranch)! }
      const refused = { kind: 'forbidden', code: 'git.push_refused' }
      expect(await errorOf(git.push(onto))).toMatchObject(refused)
      expect(await git.findHead(fixture.defaultBranch)).toBe(onto.expected)

      fixture.setAccess('read')
      expect(await git.findHead('docent/job-2')).toBe(commit)
      const more = { branch: 'docent/job-3', commit, expected: null }
      expect(await errorOf(git.push(more))).toMatchObject({ kind: 'forbidden' })
      fixture.setAccess('expired')
      expect(await errorOf(git.push(more))).toMatchObject({ kind: 'unauthenticated' })
    })
  })
}
