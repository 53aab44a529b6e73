import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { startWorker } from '#app/worker.ts'
import { newId } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { providers } from './schema.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ settings: { baseUrl: 'https://docs.example.com', model: 'anthropic/claude-x' } })
  await startWorker(it.services)
})
afterAll(() => it.close())

const github = { provider: 'github', repository: 'acme/docs' }

async function create(input: object = {}) {
  const { status, body, text } = await it.call('POST', '/v1/projects', { body: { name: 'My docs', ...input } })
  expect(status, text).toBe(201)
  return body
}

/** A GitHub project: it needs no repository made, so it is quick. */
const createRemote = (source: object = {}) => create({ source: { ...github, ...source } })

const change = (id: string, body: object) => it.call('PATCH', `/v1/projects/${id}`, { body })

async function rowOf(id: string) {
  return await it.services.db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

const repositoryPath = (id: string) => join(it.services.config.data, 'git', `${id}.git`)

async function git(id: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['--git-dir', repositoryPath(id), ...args])
  return stdout
}

describe('creating a project', () => {
  test('gives it a repository of its own', async () => {
    const { status, body } = await it.call('POST', '/v1/projects', { body: { name: 'Handbook' } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^prj_[0-9A-Za-z]{22}$/),
      name: 'Handbook',
      slug: 'handbook',
      source: {
        provider: 'builtin',
        repository: 'https://docs.example.com/git/handbook.git',
        ref: 'main',
        docsPath: '',
        apiUrl: null,
        hasToken: false,
      },
      model: 'anthropic/claude-x',
      hasOwnModel: false,
      hasPushHook: false,
      isDemo: false,
      openPaths: [],
      siteUrl: 'https://docs.example.com/sites/handbook/',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    const shown = await it.call('GET', `/v1/projects/${body.id}`)
    expect([shown.status, shown.body]).toEqual([200, body])
    const files = (await git(body.id, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n')
    expect(files).toEqual(['docs.json', 'guides/writing-pages.mdx', 'index.mdx', 'quickstart.mdx'])
    expect(await git(body.id, 'rev-list', '--count', 'HEAD')).toBe('1\n')
    await git(body.id, 'fsck', '--strict')
  })

  test('puts the starter where the source says', async () => {
    const source = { provider: 'builtin', ref: 'release/v2', docsPath: './packages/docs/' }
    const { id, source: made } = await create({ source })
    expect(made).toMatchObject({ ref: 'release/v2', docsPath: 'packages/docs' })
    expect(await git(id, 'symbolic-ref', 'HEAD')).toBe('refs/heads/release/v2\n')
    expect(await git(id, 'show', 'release/v2:packages/docs/index.mdx')).toContain('title: "My docs"')
  })

  test.each([
    'Quotes " and \\ back',
    `'; drop table projects; --`,
    '{{project name}}',
    '$& $1 $$',
    '日本語 🚀',
    '<b>&amp;',
    ' trimmed ',
  ])('writes the name %s into the starter as it is', async (name) => {
    const { id, name: kept } = await create({ name })
    expect(kept).toBe(name.trim())
    expect(JSON.parse(await git(id, 'show', 'main:docs.json')).name).toBe(kept)
    const [, frontmatter] = (await git(id, 'show', 'main:index.mdx')).split('---\n')
    expect(parseYaml(frontmatter!).title).toBe(kept)
  })

  test.each([
    ['github', { repository: 'acme/docs' }, 'https://github.com/acme/docs'],
    ['github', { repository: 'https://github.com/acme/docs.git' }, 'https://github.com/acme/docs'],
    ['github', { repository: 'https://github.com/acme/docs/' }, 'https://github.com/acme/docs'],
    [
      'github',
      { repository: 'acme/docs', apiUrl: 'https://ghe.example.com/api/v3' },
      'https://ghe.example.com/acme/docs',
    ],
    ['gitlab', { repository: 'group/sub/docs' }, 'https://gitlab.com/group/sub/docs'],
    ['gitea', { repository: 'https://git.example.com:3000/acme/docs' }, 'https://git.example.com:3000/acme/docs'],
    ['gitea', { repository: 'acme/docs', apiUrl: 'http://git.example.com/api/v1' }, 'http://git.example.com/acme/docs'],
    ['bitbucket', { repository: 'acme/docs' }, 'https://bitbucket.org/acme/docs'],
  ])('on %s of %j is at the full address', async (provider, source, repository) => {
    const project = await create({ source: { provider, ...source } })
    const apiUrl = 'apiUrl' in source ? source.apiUrl : null
    expect(project.source).toEqual({ provider, repository, ref: null, docsPath: '', apiUrl, hasToken: false })
    expect((await it.call('GET', `/v1/projects/${project.id}`)).body).toEqual(project)
    expect(existsSync(repositoryPath(project.id))).toBe(false)
  })

  test.each([
    ['name', {}, {}],
    ['name', { name: '   ' }, {}],
    ['name', { name: 'x'.repeat(101) }, {}],
    ['name', { name: null }, {}],
    ['model', { model: 'claude' }, {}],
    ['model', { model: 'builtin/other' }, {}],
    ['model', { model: `openai/${'x'.repeat(200)}` }, {}],
    ['source', { source: null }, {}],
    ['source', { source: 'acme/docs' }, {}],
    ['source.provider', { source: {} }, {}],
    ['source.provider', { source: { provider: 'svn' } }, {}],
    ['source.repository', { source: { provider: 'github' } }, {}],
    ['source.repository', { source: { provider: 'builtin', repository: 'a/b' } }, {}],
    ['source.apiUrl', { source: { provider: 'builtin', apiUrl: 'https://x.test' } }, {}],
    ['source.token', { source: { provider: 'builtin', token: 'x' } }, {}],
    ['source.repository', {}, { provider: 'gitea' }],
    ...[
      ...[
        'docs',
        'acme/',
        '/docs',
        'acme//docs',
        '../docs',
        'acme/..',
        './docs',
        'acme docs/x',
        '',
        'acme/docs?x=1',
        'acme/docs#x',
      ],
      ...[
        'git@github.com:acme/docs.git',
        'ssh://git@github.com/acme/docs',
        'file:///etc/passwd',
        'ext::sh -c x',
        '--upload-pack=x',
      ],
      ...['https://user:pass@github.com/acme/docs', 'https://github.com', 'https://github.com/acme', 'http://'],
    ].map((repository) => ['source.repository', {}, { repository }]),
    ...[
      ...[
        '',
        ' ',
        '-x',
        '/x',
        'x/',
        'a//b',
        'a..b',
        'a b',
        'a~b',
        'a^b',
        'a:b',
        'a?b',
        'a*b',
        'a[b',
        'a\\b',
        'a@{b',
        '@',
        'HEAD',
      ],
      ...['.a', 'a/.b', 'a.', 'a.lock', 'a.lock/b', 'a\u007fb', 'x'.repeat(251), 'é'.repeat(126)],
    ].map((ref) => ['source.ref', {}, { ref }]),
    ...[
      ...[
        '..',
        '../x',
        'a/../..',
        'a/./b',
        'a//b',
        '.git',
        'a/.GIT/b',
        '.git.',
        '.git .',
        'git~1',
        '.git::$INDEX',
        'a\\b',
        'a\nb',
      ],
      ...['x'.repeat(256), 'é'.repeat(128)],
    ].map((docsPath) => ['source.docsPath', {}, { docsPath }]),
    ...[
      '',
      'x',
      'ftp://x.test',
      'https://u@x.test',
      'https://',
      'javascript:alert(1)',
      `https://x.test/${'x'.repeat(500)}`,
    ].map((apiUrl) => ['source.apiUrl', {}, { apiUrl }]),
    ...['', ' ', 'a b', 'é', 'x'.repeat(4097)].map((token) => ['source.token', {}, { token }]),
  ] as [string, object, object][])('refuses a bad %s with 400 that names it: %j %j', async (path, input, source) => {
    const named = 'name' in input || path === 'name' ? {} : { name: 'My docs' }
    const withSource = 'source' in input ? {} : { source: { ...github, ...source } }
    const answer = await it.call('POST', '/v1/projects', { body: { ...named, ...withSource, ...input } })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('request.invalid')
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('with branches and folders that git takes never fails, whatever they are', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, async (ref, docsPath) => {
        const body = { name: 'Any', source: { provider: 'builtin', ref, docsPath } }
        const answer = await it.call('POST', '/v1/projects', { body })
        expect([201, 400]).toContain(answer.status)
        if (answer.status === 201)
          await git(answer.body.id, 'rev-parse', '--verify', `refs/heads/${answer.body.source.ref}`)
      }),
      { numRuns: 25, interruptAfterTimeLimit: 15_000 },
    )
  })

  test('ignores what it does not know', async () => {
    const input = { id: 'prj_x', slug: 'mine', organizationId: 'org_x', siteUrl: 'https://evil.test' }
    const project = await create({ name: 'Extra', ...input, source: { ...github, sealedToken: 'x' } })
    expect(project).toMatchObject({ slug: 'extra', siteUrl: 'https://docs.example.com/sites/extra/' })
    expect(project.id).not.toBe('prj_x')
    expect((await rowOf(project.id))!.sealedToken).toBeNull()
  })

  test('gives twenty of one name, made at once, an address each', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Rush hour', source: github })))
    const slugs = made.map(({ slug }) => slug).sort()
    const numbered = Array.from({ length: 19 }, (_, index) => `rush-hour-${index + 2}`)
    expect(slugs).toEqual(['rush-hour', ...numbered].sort())
  })

  test('is as quick for the hundredth of a name as for the first few', async () => {
    for (let count = 0; count < 22; count++) await create({ name: 'Popular', source: github })
    const queries = vi.spyOn(it.services.db, 'transaction')
    const { slug } = await create({ name: 'Popular', source: github })
    expect(slug).toMatch(/^popular-[a-z0-9]{8}$/)
    expect(queries.mock.calls.length).toBeLessThan(30)
    queries.mockRestore()
  })

  test('leaves neither a project nor a record when one of them cannot be written', async () => {
    const { db } = it.services
    await sql`alter table audit_records add constraint refuse check (action <> 'project.create') not valid`.execute(db)
    const answer = await it.call('POST', '/v1/projects', { body: { name: 'Half made', source: github } })
    await sql`alter table audit_records drop constraint refuse`.execute(db)
    expect(answer.status).toBe(500)
    expect((await it.call('GET', '/v1/projects?limit=250')).text).not.toContain('Half made')
  })
})

describe('a model', () => {
  test('is the server’s own unless the project has one, and again when that is taken away', async () => {
    const { id, model } = await createRemote()
    expect(model).toBe('anthropic/claude-x')
    expect((await change(id, { model: 'builtin/editor' })).body.model).toBe('builtin/editor')
    expect((await it.call('GET', `/v1/projects/${id}`)).body.model).toBe('builtin/editor')
    expect((await change(id, { model: null })).body.model).toBe('anthropic/claude-x')
    expect((await create({ source: github, model: 'openai-compatible/llama' })).model).toBe('openai-compatible/llama')
  })

  test('is builtin/editor where nobody says otherwise', async () => {
    const plain = await createTestApp()
    const { body } = await plain.call('POST', '/v1/projects', { body: { name: 'Plain', source: github } })
    expect(body.model).toBe('builtin/editor')
    await plain.close()
  })
})

describe('a token', () => {
  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'

  test('is kept encrypted, for its project alone, and is in no answer', async () => {
    const made = await it.call('POST', '/v1/projects', { body: { name: 'Sealed', source: { ...github, token } } })
    const { id } = made.body
    const answers = [
      made,
      await it.call('GET', `/v1/projects/${id}`),
      await it.call('GET', '/v1/projects?limit=250'),
      await change(id, { source: { token } }),
      await it.call('GET', '/v1/audit?limit=250'),
    ]
    for (const { text } of answers) expect(text).not.toContain(token)
    for (const { text } of answers.slice(0, 4)) expect(text.replaceAll('"hasToken"', '')).not.toMatch(/token/i)
    expect(made.body.source.hasToken).toBe(true)

    const { sealedToken } = (await rowOf(id))!
    expect(sealedToken).toMatch(/^v1\.[\w-]+$/)
    expect(it.services.secretBox.open(sealedToken!, `projects.token ${id}`)).toBe(token)
    expect(() => it.services.secretBox.open(sealedToken!, `projects.token ${newId('prj')}`)).toThrow()
    const { rows } = await sql<{ row: string }>`select t::text as row from projects t`.execute(it.services.db)
    const table = rows.map(({ row }) => row).join()
    for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
      expect(table).not.toContain(Buffer.from(token).toString(encoding))
    }
    expect(it.logged.join('')).not.toContain(token)
  })

  test('looks different each time it is kept', async () => {
    const [one, two] = [await createRemote({ token }), await createRemote({ token })]
    expect((await rowOf(one.id))!.sealedToken).not.toBe((await rowOf(two.id))!.sealedToken)
  })

  test('is replaced, left and taken away by a change', async () => {
    const { id } = await createRemote({ token })
    const kept = (await rowOf(id))!.sealedToken
    await change(id, { name: 'Still there' })
    await change(id, { source: { ref: 'main' } })
    expect((await rowOf(id))!.sealedToken).toBe(kept)
    await change(id, { source: { token: 'another' } })
    expect(it.services.secretBox.open((await rowOf(id))!.sealedToken!, `projects.token ${id}`)).toBe('another')
    const { body } = await change(id, { source: { token: null } })
    expect((await rowOf(id))!.sealedToken).toBeNull()
    expect(body.source.hasToken).toBe(false)
  })

  test.each([
    ['another repository of the same host', { repository: 'acme/other' }, true],
    ['a repository on another host', { repository: 'https://git.evil.test/acme/docs' }, false],
    ['an API on another host', { apiUrl: 'https://git.evil.test/api/v3' }, false],
    ['both, and a new token', { repository: 'https://git.example.test/a/b', token: 'new' }, true],
  ])('after a change to %s is kept only where it belongs', async (_, source, isKept) => {
    const { id } = await createRemote({ token })
    expect((await change(id, { source })).status).toBe(200)
    expect((await rowOf(id))!.sealedToken !== null).toBe(isKept)
  })
})

describe('changing a project', () => {
  test('changes what is given and nothing else, and shows the result', async () => {
    const before = await createRemote({ ref: 'main', docsPath: 'docs' })
    const { status, body } = await change(before.id, { name: ' Renamed ' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'Renamed' })
    expect((await it.call('GET', `/v1/projects/${before.id}`)).body).toEqual(body)
    for (const nothing of [{}, { source: {} }, { unknown: 1 }, { source: { provider: 'gitlab' } }]) {
      expect((await change(before.id, nothing)).body).toEqual(body)
    }
  })

  test('opens paths to agents that are closed to them otherwise', async () => {
    const { id } = await createRemote({})
    const opened = await change(id, { openPaths: ['AGENTS.md', '.github/'] })
    expect([opened.status, opened.body.openPaths]).toEqual([200, ['AGENTS.md', '.github']])
    expect((await change(id, { openPaths: [] })).body.openPaths).toEqual([])
    for (const path of ['', '/', '..', 'a/../b', '.git', 'a\0b']) {
      expect((await change(id, { openPaths: [path] })).status).toBe(400)
    }
  })

  test.each([
    [{ repository: 'acme/other' }, { repository: 'https://github.com/acme/other' }],
    [{ repository: 'https://ghe.example.com/a/b.git' }, { repository: 'https://ghe.example.com/a/b' }],
    [
      { apiUrl: 'https://ghe.example.com/api/v3', repository: 'a/b' },
      { apiUrl: 'https://ghe.example.com/api/v3', repository: 'https://ghe.example.com/a/b' },
    ],
    [{ ref: 'next' }, { ref: 'next' }],
    [{ ref: null }, { ref: null }],
    [{ docsPath: 'site' }, { docsPath: 'site' }],
    [{ docsPath: '' }, { docsPath: '' }],
    [{ docsPath: '/' }, { docsPath: '' }],
    [{ apiUrl: null }, {}],
  ])('takes the source %j', async (source, expected) => {
    const before = await createRemote({ ref: 'main', docsPath: 'docs' })
    const { status, body } = await change(before.id, { source })
    expect(status).toBe(200)
    expect(body.source).toEqual({ ...before.source, ...expected })
  })

  test('reads a short repository name by the API address that the project has', async () => {
    const source = { provider: 'gitea', repository: 'a/b', apiUrl: 'https://git.example.com/api/v1' }
    const { id } = await create({ source })
    const changed = await change(id, { source: { repository: 'a/c' } })
    expect(changed.body.source.repository).toBe('https://git.example.com/a/c')
    expect((await change(id, { source: { apiUrl: null } })).status).toBe(200)
    expect((await rowOf(id))!.apiUrl).toBeNull()
    expect((await change(id, { source: { repository: 'a/d' } })).body.details).toMatchObject([
      { path: 'source.repository' },
    ])
  })

  test.each(['repository', 'token', 'apiUrl'])('refuses a %s for the builtin provider', async (field) => {
    const { id, source } = await create({ name: 'Builtin' })
    const value = { repository: 'acme/docs', token: 'x', apiUrl: 'https://x.test' }[field]
    const answer = await change(id, { name: 'Not taken', source: { [field]: value } })
    expect(answer.status).toBe(400)
    expect(answer.body.details).toMatchObject([{ path: `source.${field}` }])
    expect((await it.call('GET', `/v1/projects/${id}`)).body).toMatchObject({ name: 'Builtin', source })
  })

  test('gives a builtin project its first branch back when the branch is taken away', async () => {
    const { id } = await create({ name: 'Branches' })
    expect((await change(id, { source: { ref: 'next' } })).body.source.ref).toBe('next')
    expect((await change(id, { source: { ref: null } })).body.source.ref).toBe('main')
  })

  test.each([
    ['name', { name: null }],
    ['name', { name: '' }],
    ['model', { model: '' }],
    ['source', { source: null }],
    ['source.repository', { source: { repository: null } }],
    ['source.repository', { source: { repository: 'nonsense' } }],
    ['source.ref', { source: { ref: 'a b' } }],
    ['source.docsPath', { source: { docsPath: null } }],
    ['source.apiUrl', { source: { apiUrl: 'nonsense' } }],
    ['source.token', { source: { token: '' } }],
  ])('refuses a bad %s, and then changes nothing: %j', async (path, body) => {
    const before = await createRemote()
    const answer = await change(before.id, { model: 'builtin/editor', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.details[0].path).toBe(path)
    expect((await it.call('GET', `/v1/projects/${before.id}`)).body).toEqual(before)
  })

  test('keeps the address when the name changes, and the old name is free again', async () => {
    const first = await create({ name: 'Address', source: github })
    await change(first.id, { name: 'Elsewhere' })
    expect((await it.call('GET', `/v1/projects/${first.id}`)).body).toMatchObject({
      name: 'Elsewhere',
      slug: 'address',
    })
    expect((await create({ name: 'Elsewhere', source: github })).slug).toBe('elsewhere')
  })

  test('while somebody else deletes it is done or a 404, never a failure', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await createRemote()
      const changes = Array.from({ length: 4 }, (_, number) => change(id, { name: `change ${number}` }))
      const deletion = it.call('DELETE', `/v1/projects/${id}`)
      for (const { status } of await Promise.all(changes)) expect([200, 404]).toContain(status)
      expect((await deletion).status).toBe(204)
    }
  })
})

describe('deleting a project', () => {
  const missing = async (id: string) => {
    const calls = [
      it.call('GET', `/v1/projects/${id}`),
      change(id, { name: 'x' }),
      it.call('DELETE', `/v1/projects/${id}`),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.code]).toEqual([404, 'project.not_found'])
    }
    expect((await it.call('GET', '/v1/projects?limit=250')).text).not.toContain(id)
    expect(await rowOf(id)).toBeUndefined()
  }

  test('takes it away at once, and its repository a little later', async () => {
    const [kept, deleted] = [await create({ name: 'Kept' }), await create({ name: 'Deleted' })]
    const answer = await it.call('DELETE', `/v1/projects/${deleted.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    await missing(deleted.id)
    await vi.waitFor(() => expect(existsSync(repositoryPath(deleted.id))).toBe(false), { timeout: 30_000 })
    expect(existsSync(repositoryPath(kept.id))).toBe(true)
    expect((await create({ name: 'Deleted', source: github })).slug).toBe('deleted')
  })

  test('works for every provider', async () => {
    for (const provider of providers) {
      const source =
        provider === 'builtin' ? { provider } : { provider, repository: 'https://git.example.com/a/b', token: 'x' }
      const { id } = await create({ source })
      expect((await it.call('DELETE', `/v1/projects/${id}`)).status).toBe(204)
      await missing(id)
    }
  })

  test('is done by one of ten who try at once', async () => {
    const { id } = await createRemote()
    const answers = await Promise.all(Array.from({ length: 10 }, () => it.call('DELETE', `/v1/projects/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
  })

  test('is not half done: when it cannot be recorded, project and repository stay', async () => {
    const { db } = it.services
    const project = await create({ name: 'Survivor' })
    await sql`alter table audit_records add constraint refuse check (action <> 'project.delete') not valid`.execute(db)
    const answer = await it.call('DELETE', `/v1/projects/${project.id}`)
    await sql`alter table audit_records drop constraint refuse`.execute(db)
    expect(answer.status).toBe(500)
    expect((await it.call('GET', `/v1/projects/${project.id}`)).body).toEqual(project)
    const { rows } = await sql`select 1 from pgboss.job where data->>'projectId' = ${project.id}`.execute(db)
    expect(rows).toEqual([])
    expect(existsSync(repositoryPath(project.id))).toBe(true)
  })
})

describe('listing projects', () => {
  test('shows every one once, oldest first, and hasMore says exactly whether there are more', async () => {
    const { key } = await it.createOrganization('Many')
    const made: unknown[] = []
    for (let count = 0; count < 9; count++) {
      const { body } = await it.call('POST', '/v1/projects', { key, body: { name: `Page ${count}`, source: github } })
      made.push(body)
    }
    expect((await it.call('GET', '/v1/projects', { key })).body).toEqual({ projects: made, hasMore: false })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }), async (limit, offset) => {
        const { body } = await it.call('GET', `/v1/projects?limit=${limit}&offset=${offset}`, { key })
        expect(body).toEqual({ projects: made.slice(offset, offset + limit), hasMore: offset + limit < 9 })
      }),
      { numRuns: 40 },
    )
  })
})
