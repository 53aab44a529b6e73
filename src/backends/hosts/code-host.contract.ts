import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CodeHost, NewPullRequest } from './code-host.ts'

/** One repository on a code host, and what people do there. Its default branch is not `main`. */
export interface ContractFixture extends AsyncDisposable {
  host: CodeHost
  defaultBranch: string
  /** Makes the branch, from the default branch and with a commit of its own, or puts a further commit on it. */
  commitTo(branch: string): Promise<void>
  /** What a person does on the page of the pull request. */
  mergePullRequest(number: number): Promise<void>
  closePullRequest(number: number): Promise<void>
  /** What a person reads on the page of the pull request. */
  readPullRequest(number: number): Promise<{ title: string; body: string; draft: boolean }>
}

const branch = 'docent/job-1'

/** What every code host keeps to, the built-in one as well as those of vendors. */
export function describeCodeHost(name: string, { open }: { open(): Promise<ContractFixture> }): void {
  describe(`${name} as a code host`, () => {
    let fixture: ContractFixture
    let host: CodeHost
    beforeEach(async () => {
      fixture = await open()
      host = fixture.host
    })
    afterEach(() => fixture[Symbol.asyncDispose]())

    function newPullRequest(change: Partial<NewPullRequest> = {}): NewPullRequest {
      return { branch, base: fixture.defaultBranch, title: 'Fix links', body: 'Two links.', draft: false, ...change }
    }
    const find = (wanted = branch) => host.findPullRequest({ branch: wanted, base: fixture.defaultBranch })

    test('tells its default branch and the address of its page', async () => {
      const { webUrl, defaultBranch } = await host.getRepository()
      expect(defaultBranch).toBe(fixture.defaultBranch)
      expect(webUrl).toMatch(/^https?:\/\//)
    })

    test('finds no pull request for a branch that has none, or that is not there', async () => {
      await fixture.commitTo(branch)
      expect(await find()).toBeNull()
      expect(await find('docent/nowhere')).toBeNull()
    })

    test('opens a pull request that can be found, read and opened in a browser', async () => {
      await fixture.commitTo(branch)
      const created = await host.createPullRequest(newPullRequest())
      expect(created).toEqual({
        number: created.number,
        url: expect.stringMatching(/^https?:\/\/.+/),
        state: 'open',
        branch,
        base: fixture.defaultBranch,
        title: 'Fix links',
      })
      expect(await find()).toEqual(created)
      expect(await host.getPullRequest(created.number)).toEqual(created)
      const page = { title: 'Fix links', body: 'Two links.', draft: false }
      expect(await fixture.readPullRequest(created.number)).toEqual(page)
    })

    test('keeps pull requests of different branches and bases apart', async () => {
      await fixture.commitTo('release/1.0')
      await fixture.commitTo(branch)
      await fixture.commitTo('docent/job-2')
      const first = await host.createPullRequest(newPullRequest())
      const second = await host.createPullRequest(newPullRequest({ branch: 'docent/job-2' }))
      expect(await host.findPullRequest({ branch, base: 'release/1.0' })).toBeNull()
      const third = await host.createPullRequest(newPullRequest({ base: 'release/1.0' }))
      expect(new Set([first.number, second.number, third.number]).size).toBe(3)
      expect(await find()).toEqual(first)
      expect(await find('docent/job-2')).toEqual(second)
      expect(await host.findPullRequest({ branch, base: 'release/1.0' })).toEqual(third)
    })

    test('refuses a second pull request of a branch that has an open one', async () => {
      await fixture.commitTo(branch)
      const first = await host.createPullRequest(newPullRequest())
      await expect(host.createPullRequest(newPullRequest({ title: 'Again' }))).rejects.toMatchObject({
        kind: 'conflict',
        code: 'host.pull_request_exists',
      })
      expect(await find()).toEqual(first)
      expect((await fixture.readPullRequest(first.number)).title).toBe('Fix links')
    })

    test('opens one pull request when several are asked for at once', async () => {
      await fixture.commitTo(branch)
      const tries = await Promise.allSettled([1, 2, 3].map(() => host.createPullRequest(newPullRequest())))
      const opened = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.number] : []))
      const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
      expect(new Set(opened)).toEqual(new Set([(await find())!.number]))
      expect(refused.filter((code) => code !== 'host.pull_request_exists')).toEqual([])
    })

    test.each([
      ['head', { branch: 'docent/nowhere' }],
      ['base', { base: 'nowhere' }],
    ])('opens nothing when the branch of its %s does not exist', async (_side, change) => {
      await fixture.commitTo(branch)
      await expect(host.createPullRequest(newPullRequest(change))).rejects.toMatchObject({ kind: 'invalid' })
      expect(await find()).toBeNull()
    })

    test.each([
      ['merged', (number: number) => fixture.mergePullRequest(number)],
      ['closed', (number: number) => fixture.closePullRequest(number)],
    ] as const)('tells that a pull request was %s, and opens another for what came after', async (state, end) => {
      await fixture.commitTo(branch)
      const first = await host.createPullRequest(newPullRequest())
      await end(first.number)
      expect(await host.getPullRequest(first.number)).toEqual({ ...first, state })
      expect(await find()).toEqual({ ...first, state })

      await fixture.commitTo(branch)
      const second = await host.createPullRequest(newPullRequest({ title: 'Follow up' }))
      expect(second.number).not.toBe(first.number)
      expect(await find()).toEqual(second)
      await fixture.closePullRequest(second.number)
      expect(await find()).toEqual({ ...second, state: 'closed' })
    })

    test('changes title and body of a pull request and nothing else', async () => {
      await fixture.commitTo(branch)
      const created = await host.createPullRequest(newPullRequest())
      const changed = await host.updatePullRequest(created.number, { title: 'Fix 3 links', body: 'Three.' })
      expect(changed).toEqual({ ...created, title: 'Fix 3 links' })
      expect(await host.getPullRequest(created.number)).toEqual(changed)
      const page = { title: 'Fix 3 links', body: 'Three.', draft: false }
      expect(await fixture.readPullRequest(created.number)).toEqual(page)
    })

    test('opens a draft where the host has them, and it stays one when it is changed', async () => {
      await fixture.commitTo(branch)
      const created = await host.createPullRequest(newPullRequest({ draft: true }))
      expect(created).toMatchObject({ title: 'Fix links', state: 'open' })
      const isDraft = async () => (await fixture.readPullRequest(created.number)).draft
      expect(await isDraft()).toBe(host.supports.draftPullRequests)
      const changed = await host.updatePullRequest(created.number, { title: 'Fix 3 links', body: '' })
      expect(changed).toMatchObject({ title: 'Fix 3 links', state: 'open' })
      expect(await isDraft()).toBe(host.supports.draftPullRequests)
      expect(await find()).toEqual(changed)
    })

    test('opens no draft because of how a title begins', async () => {
      for (const [index, title] of ['Draft: say more', 'WIP: say more', '[Draft] say more'].entries()) {
        const own = `docent/job-${index}`
        await fixture.commitTo(own)
        const { number } = await host.createPullRequest(newPullRequest({ branch: own, title }))
        const page = await fixture.readPullRequest(number)
        expect(page, title).toMatchObject({ title: expect.stringContaining('say more'), draft: false })
      }
    })

    test('takes a branch with an odd name for that one and no other', async () => {
      await fixture.commitTo(branch)
      await host.createPullRequest(newPullRequest())
      const odd = [
        'docent/a"b',
        'docent/a"OR"state"="OPEN',
        "docent/it's",
        'docent/ü-文',
        'docent/a&head=b#c%2Fd+e',
        'docent/$(id);`x`',
      ]
      for (const name of odd) {
        await fixture.commitTo(name)
        expect(await find(name), name).toBeNull()
        const created = await host.createPullRequest(newPullRequest({ branch: name }))
        expect(created.branch).toBe(name)
        expect(await find(name), name).toEqual(created)
      }
    })

    test('keeps what was written, whatever is in it', async () => {
      await fixture.commitTo(branch)
      const text = { title: 'Say "hello" & <b>$& ünïcode</b> 🦉', body: 'One\n\n\t`two` \\ "three" <script> $1 文\n' }
      const { number } = await host.createPullRequest(newPullRequest(text))
      expect(await fixture.readPullRequest(number)).toEqual({ ...text, draft: false })
    })

    test('knows no pull request that was never opened', async () => {
      const missing = { kind: 'not_found', code: 'host.pull_request_not_found' }
      await expect(host.getPullRequest(4711)).rejects.toMatchObject(missing)
      await expect(host.updatePullRequest(4711, { title: 'A', body: 'B' })).rejects.toMatchObject(missing)
    })
  })
}
