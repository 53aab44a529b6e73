import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createBuiltinCodeHost, gitDirOf } from '#backends/hosts/builtin/code-host.ts'
import { findPullRequest } from '#backends/hosts/builtin/store.ts'
import { systemCaller } from '#features/accounts/service.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { importCommit, plainGit } from '#tests/harness/git-history.ts'
import { type Answer, createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { completeMerge, mergePullRequest } from './pull-requests.ts'
import { followPush } from './push-events.ts'
import { getBuiltinRepository } from './service.ts'

let it: TestApp
/** One to read, for tests that change nothing. */
let shared: Awaited<ReturnType<typeof openPullRequest>>
beforeAll(async () => {
  it = await createTestApp()
  shared = await openPullRequest()
})
afterAll(() => it.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const basic = { authorization: `Basic ${Buffer.from(`me:${testAdminKey}`).toString('base64')}` }

let projects = 0
/** A project with an open pull request from `topic` into `main`. */
async function openPullRequest({
  base = {},
  topic = { 'index.mdx': '# Changed\n' },
}: {
  base?: Files
  topic?: Files
} = {}) {
  const { body: project } = await it.call('POST', '/v1/projects', { body: { name: `Pages ${++projects}` } })
  const { db, clock, config } = it.services
  const gitFolder = dataPaths(config.data).git
  const gitDir = gitDirOf({ gitFolder, projectId: project.id })
  if (Object.keys(base).length > 0) commit(gitDir, 'main', base)
  plainGit(gitDir, ['update-ref', 'refs/heads/topic', 'refs/heads/main'])
  commit(gitDir, 'topic', topic)
  const input = { projectId: project.id, repository: project.source.repository, apiUrl: null, token: null }
  const host = createBuiltinCodeHost(input, { db, clock, gitFolder })
  const asked = { branch: 'topic', base: 'main', title: 'Say it better', body: 'Made **clear**.', draft: false }
  const { number } = await host.createPullRequest(asked)
  const path = `/git/${project.slug}/pulls/${number}`
  return {
    id: project.id as string,
    slug: project.slug as string,
    gitDir,
    host,
    number,
    path,
    head: (branch: string) => plainGit(gitDir, ['rev-parse', `refs/heads/${branch}`]),
    decide: (
      action: 'merge' | 'close',
      head: string,
      options: { headers?: Record<string, string>; key?: string | null } = {},
    ) =>
      it.call('POST', `${path}/${action}`, {
        ...options,
        body: `head=${head}&view=unified`,
        headers: { ...form, ...options.headers },
      }),
    row: async () => (await findPullRequest(db, { projectId: project.id, number }))!,
    pushes: async () => {
      const found = await sql<{ data: Record<string, unknown> }>`
        select data from pgboss.job where name = 'repositories.pushed' and data->>'projectId' = ${project.id}`.execute(
        db,
      )
      return found.rows.map(({ data }) => data)
    },
    audit: async () => {
      const { body } = await it.call('GET', '/v1/audit?limit=250')
      return body.records
        .filter((record: { target: string }) => record.target === project.id)
        .map((record: { action: string }) => record.action)
    },
  }
}

type Files = Record<string, string | Buffer>
function commit(gitDir: string, branch: string, files: Files): string {
  return importCommit(gitDir, branch, { files: Object.entries(files).map(([path, content]) => ({ path, content })) })
}

describe('the page of a pull request', () => {
  test('shows title, state, summary, commits and the changes, in one column or two, without scripts', async () => {
    const { path } = await openPullRequest({
      base: { 'page.mdx': 'one\ntwo\nthree\n', 'old.mdx': 'the very same text\n'.repeat(5) },
      topic: {
        'page.mdx': 'one\n2\nthree\nfour\n',
        'logo.png': Buffer.from([0x89, 0, 1, 2, 3]),
        'new.json': '{"a": 1}\n',
      },
    })
    for (const view of ['', '?view=split']) {
      const { status, headers, text } = await it.call('GET', path + view)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers['cache-control']).toBe('private, no-store')
      expect(text).toContain('<h1>Say it better')
      expect(text).toContain('<strong>clear</strong>')
      expect(text).toContain('1 commit')
      expect(text).toContain('3 files')
      expect(text).toContain('A binary file')
      expect(text).toMatch(/class="sign( deleted)?">−<\/td>/)
      expect(text).toContain('class="t')
      expect(text).not.toMatch(/<script|<style|style=|javascript:|<img/i)
      expect(plain(text)).toContain('four')
    }
    const unified = (await it.call('GET', path)).text
    const split = (await it.call('GET', `${path}?view=split`)).text
    expect(unified).toContain('class="diff unified"')
    expect(split).toContain('class="diff split"')
  })

  test('shows a renamed file as one, and a new mode', async () => {
    const { path, gitDir } = await openPullRequest({ base: { 'old name.mdx': 'the very same text\n'.repeat(5) } })
    importCommit(gitDir, 'topic', {
      deleted: ['old name.mdx'],
      files: [{ path: 'new name.mdx', content: 'the very same text\n'.repeat(5), mode: '100755' }],
    })
    const text = plain((await it.call('GET', path)).text)
    expect(text).toContain('old name.mdx → new name.mdx')
    expect(text).toContain('mode 100644 → 100755')
    expect(text).toContain('The content is the same.')
  })

  test('of a very long change is cut, and says so', async () => {
    const long = Array.from({ length: 4_000 }, (_, line) => `line ${line}`).join('\n')
    const topic = { 'a.mdx': long, 'b.mdx': long, 'c.txt': 'x'.repeat(3_000_000) }
    const { path } = await openPullRequest({ topic })
    const { status, text } = await it.call('GET', path)
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(3_000_000)
    expect(plain(text)).toContain('Left out: the pull request is too long for one page.')
    expect(plain(text)).toMatch(/Cut: it is too long|A binary file, or one too large/)
  })

  test.each(['0', '-1', '1.5', 'x', '99', '99999999999', '1%00', "1'"])('number %s is not found', async (number) => {
    const { status, text, headers } = await it.call('GET', `/git/${shared.slug}/pulls/${number}`)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('There is no such pull request.')
  })

  test('is found from the address of the repository and from the list', async () => {
    const { slug, path } = shared
    expect((await it.call('GET', `/git/${slug}`)).headers.location).toBe(`/git/${slug}/pulls`)
    const list = await it.call('GET', `/git/${slug}/pulls`)
    expect(list.text).toContain(`href="${path}"`)
    expect(plain(list.text)).toContain('Open (1)')
    expect((await it.call('GET', `/git/${slug}/pulls?state=ended&offset=x`)).text).not.toContain(`href="${path}"`)
    const style = await it.call('GET', /href="([^"]+\.css[^"]*)"/.exec(list.text)![1]!, { key: null })
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
  })
})

describe('who may read', () => {
  test.each<[string, object, number]>([
    ['somebody at this machine', {}, 200],
    ['somebody at this machine by another name of it', { headers: { host: 'localhost:4400' } }, 200],
    ['somebody at this machine by IPv6', { headers: { host: '[::1]:4400' }, remoteAddress: '::1' }, 200],
    ['a page that made its own name lead here', { headers: { host: 'evil.test' } }, 401],
    ['a page whose name begins like one of ours', { headers: { host: '127.0.0.1.evil.test' } }, 401],
    ['somebody behind a proxy on this machine', { headers: { 'x-forwarded-for': '203.0.113.7' } }, 401],
    ['somebody elsewhere', { remoteAddress: '203.0.113.7' }, 401],
    [
      'somebody elsewhere who says they are here',
      { remoteAddress: '203.0.113.7', headers: { host: 'localhost' } },
      401,
    ],
    ['a key from elsewhere', { remoteAddress: '203.0.113.7', key: testAdminKey }, 200],
    ['a password from elsewhere', { remoteAddress: '203.0.113.7', headers: basic }, 200],
    ['a wrong key at this machine', { key: `${testAdminKey}x` }, 401],
  ])('%s', async (_, options, status) => {
    for (const url of [shared.path, `/git/${shared.slug}/pulls`]) {
      const request = { key: null, ...options, headers: { host: '127.0.0.1:4400', ...(options as Answer).headers } }
      const answer = await it.call('GET', url, request as never)
      expect(answer.status).toBe(status)
      if (status === 401) expect(answer.headers['www-authenticate']).toBe('Basic realm="Docent"')
    }
  })

  test('nobody at this machine without a key, where the server has a public address', async () => {
    const open = await createTestApp({ settings: { baseUrl: 'https://docs.example.com' } })
    const { body } = await open.call('POST', '/v1/projects', { body: { name: 'Public' } })
    for (const host of ['127.0.0.1:4400', 'docs.example.com']) {
      const answer = await open.call('GET', `/git/${body.slug}/pulls`, { key: null, headers: { host } })
      expect(answer.status).toBe(401)
    }
    await open.close()
  })

  test('a key of another organization finds nothing', async () => {
    const { slug, path, decide, head } = shared
    const { key } = await it.createOrganization('Other readers')
    for (const url of [path, `/git/${slug}/pulls`, `/git/${slug}`])
      expect((await it.call('GET', url, { key })).status).toBe(404)
    expect((await decide('merge', head('topic'), { key })).status).toBe(404)
  })
})

describe('merging', () => {
  test('fast-forward moves the base, ends the pull request, records it and announces the push', async () => {
    const it = await openPullRequest()
    const [base, topic] = [it.head('main'), it.head('topic')]
    const answer = await it.decide('merge', topic)
    expect([answer.status, answer.headers.location]).toEqual([303, it.path])
    expect(it.head('main')).toBe(topic)
    expect(await it.row()).toMatchObject({
      state: 'merged',
      mergeCommit: topic,
      headCommit: topic,
      baseCommit: base,
      endedBy: expect.any(String),
    })
    expect(await it.pushes()).toEqual([{ projectId: it.id, branch: 'main', before: base, commit: topic }])
    expect(await it.audit()).toEqual(['pull_request.merge', 'project.create'])
  })

  test('makes a merge commit where the base went on, and the page still shows what it was', async () => {
    const it = await openPullRequest({ topic: { 'topic.mdx': '# The topic\n' } })
    const topic = it.head('topic')
    const main = commit(it.gitDir, 'main', { 'main.mdx': '# Main\n' })
    expect((await it.decide('merge', topic)).status).toBe(303)
    expect(plainGit(it.gitDir, ['rev-parse', 'main^1', 'main^2']).split('\n')).toEqual([main, topic])
    expect(plainGit(it.gitDir, ['log', '-1', '--format=%s', 'main'])).toBe('Merge pull request #1: Say it better')
    expect(plainGit(it.gitDir, ['ls-tree', '--name-only', 'main'])).toMatch(/main\.mdx[\s\S]*topic\.mdx/)
    const { text } = await getPage(it.path)
    expect(plain(text)).toContain('# The topic')
    expect(plain(text)).not.toContain('Merge into')
  })

  test('twice, or by many at once, is merging once', async () => {
    const it = await openPullRequest({ topic: { 'topic.mdx': 'x\n' } })
    commit(it.gitDir, 'main', { 'main.mdx': 'y\n' })
    const topic = it.head('topic')
    const answers = await Promise.all(Array.from({ length: 5 }, () => it.decide('merge', topic)))
    for (const { status } of answers) expect([303, 409]).toContain(status)
    expect((await it.decide('merge', topic)).status).toBe(303)
    expect((await it.decide('close', topic)).status).toBe(303)
    expect(await it.row()).toMatchObject({ state: 'merged' })
    expect(plainGit(it.gitDir, ['rev-list', '--count', '--merges', 'main'])).toBe('1')
    expect((await it.audit()).filter((action: string) => action === 'pull_request.merge')).toHaveLength(1)
    expect(await it.pushes()).toHaveLength(1)
  })

  test('what changed since the page was shown is not done, and the page shows the change', async () => {
    const it = await openPullRequest()
    const seen = it.head('topic')
    commit(it.gitDir, 'topic', { 'late.mdx': 'came later\n' })
    const main = it.head('main')
    for (const action of ['merge', 'close'] as const) {
      for (const head of [seen, '', 'x'.repeat(40), '<script>']) {
        const answer = await it.decide(action, head)
        expect(answer.status).toBe(409)
        expect(plain(answer.text)).toContain('The branch has changed since you opened the page')
        expect(plain(answer.text)).toContain('came later')
      }
    }
    expect([it.head('main'), (await it.row()).state]).toEqual([main, 'open'])
  })

  test('what both changed names the files and says what to do, and does nothing', async () => {
    const it = await openPullRequest({
      base: { 'a.mdx': 'one\n', 'b.mdx': 'one\n' },
      topic: { 'a.mdx': 'two\n', 'c.mdx': 'x\n' },
    })
    commit(it.gitDir, 'main', { 'a.mdx': 'three\n' })
    const main = it.head('main')
    const answer = await it.decide('merge', it.head('topic'))
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('<li><code>a.mdx</code></li>')
    expect(plain(answer.text)).toContain('git switch topic\ngit merge origin/main')
    expect([it.head('main'), (await it.row()).state]).toEqual([main, 'open'])
    expect(await it.pushes()).toEqual([])
  })

  test('that was killed after the branch moved is found merged at the next look, with its record and push', async () => {
    const { services } = it
    const one = await openPullRequest()
    const [before, topic] = [one.head('main'), one.head('topic')]
    plainGit(one.gitDir, ['update-ref', 'refs/heads/main', topic])
    expect(plain((await getPage(one.path)).text)).toMatch(/merged/)
    expect(await one.row()).toMatchObject({ state: 'merged', headCommit: topic, baseCommit: before, endedBy: null })
    const by = systemCaller('org_x')
    const { organizationId } = await getBuiltinRepository(services, { slug: one.slug, by: null })
    const started = { projectId: one.id, number: 1, before, commit: topic, by: { ...by, organizationId } }
    await completeMerge(services, started)
    await completeMerge(services, started)
    expect(await one.row()).toMatchObject({ state: 'merged', mergeCommit: topic, endedBy: 'docent' })
    expect(await one.pushes()).toHaveLength(1)
    expect((await one.audit()).filter((action: string) => action === 'pull_request.merge')).toHaveLength(1)
  })

  test('that was killed before the branch moved leaves it open, and no trace', async () => {
    const { services } = it
    const one = await openPullRequest()
    const repository = await getBuiltinRepository(services, { slug: one.slug, by: null })
    const by = systemCaller(repository.organizationId)
    const send = vi.spyOn(services.queue, 'send').mockRejectedValueOnce(new Error('killed here'))
    const asked = { repository, number: 1, head: one.head('topic'), by }
    await expect(mergePullRequest(services, asked)).rejects.toThrow('killed here')
    send.mockRestore()
    await completeMerge(services, {
      projectId: one.id,
      number: 1,
      before: one.head('main'),
      commit: one.head('topic'),
      by,
    })
    expect(await one.row()).toMatchObject({ state: 'open', endedBy: null })
    expect(await one.pushes()).toEqual([])
    expect(await mergePullRequest(services, asked)).toEqual({ kind: 'done' })
  })

  test('by a push from outside ends it', async () => {
    const one = await openPullRequest()
    const topic = one.head('topic')
    plainGit(one.gitDir, ['update-ref', 'refs/heads/main', topic])
    await followPush(it.services, { projectId: one.id, branch: 'main', commit: topic })
    expect(await one.row()).toMatchObject({ state: 'merged' })
  })
})

describe('closing', () => {
  test('ends it without merging, once, and records it; the page still shows what it was', async () => {
    const it = await openPullRequest({ topic: { 'topic.mdx': 'the topic\n' } })
    const main = it.head('main')
    for (let round = 0; round < 2; round++) expect((await it.decide('close', it.head('topic'))).status).toBe(303)
    expect(await it.row()).toMatchObject({ state: 'closed', endedBy: expect.any(String) })
    expect(it.head('main')).toBe(main)
    expect(await it.audit()).toEqual(['pull_request.close', 'project.create'])
    plainGit(it.gitDir, ['update-ref', '-d', 'refs/heads/topic'])
    expect(plain((await getPage(it.path)).text)).toContain('the topic')
  })
})

describe('who may decide', () => {
  const origin = 'http://127.0.0.1:4400'
  test.each<[string, Record<string, string>, string | null, number]>([
    ['nobody without a key, even at this machine', { 'sec-fetch-site': 'same-origin', origin }, null, 401],
    ['a program with a key', {}, testAdminKey, 303],
    ['a form on our page', { ...basic, 'sec-fetch-site': 'same-origin', origin }, null, 303],
    ['a form on our page, in an older browser', { ...basic, origin, host: '127.0.0.1:4400' }, null, 303],
    [
      'a form on our page, by another name of ours',
      { ...basic, origin: 'http://docs.local', host: 'docs.local' },
      null,
      303,
    ],
    ['a form of another site', { ...basic, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, null, 403],
    ['a form of a sibling site', { ...basic, 'sec-fetch-site': 'same-site', origin }, null, 403],
    ['a bookmark', { ...basic, 'sec-fetch-site': 'none' }, null, 403],
    ['a form of another site, in an older browser', { ...basic, origin: 'https://evil.test' }, null, 403],
    ['a form that hides where it comes from', { ...basic, origin: 'null' }, null, 403],
    ['a form that says nothing', { ...basic }, null, 403],
  ])('%s', async (_, headers, key, status) => {
    const it = await openPullRequest()
    const answer = await it.decide('close', it.head('topic'), { headers, key })
    expect(answer.status).toBe(status)
    expect((await it.row()).state).toBe(status === 303 ? 'closed' : 'open')
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Basic realm="Docent"')
  })

  test('nobody with a key for reading', async () => {
    const { body } = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    const one = await openPullRequest()
    expect((await one.decide('merge', one.head('topic'), { key: body.key })).status).toBe(403)
  })

  test('nobody by another way than a form', async () => {
    const one = await openPullRequest()
    for (const body of [{ head: one.head('topic') }, 'x'.repeat(10_000)]) {
      const answer = await it.call('POST', `${one.path}/merge`, { body, headers: typeof body === 'string' ? form : {} })
      expect([413, 415]).toContain(answer.status)
    }
    expect((await it.call('GET', `${one.path}/merge`)).status).toBe(404)
  })
})

function getPage(path: string): Promise<Answer> {
  return it.call('GET', path)
}

/** What a reader sees: no tags, and entities as what they stand for. */
function plain(page: string): string {
  return page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
