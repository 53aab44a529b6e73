import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startWorker } from '#app/worker.ts'
import { randomBase62 } from '#base/ids.ts'
import { processesWith } from '#tests/harness/processes.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

let it: TestApp
let root: string
let url: string
let readKey: string
beforeAll(async () => {
  it = await createTestApp({ settings: { gitPushLimitMb: 5 } })
  await startWorker(it.services)
  await it.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`
  root = mkdtempSync(join(tmpdir(), 'docent-git-http-'))
  readKey = (await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })).body.key
})
afterAll(async () => {
  await it.close()
  rmSync(root, { recursive: true, force: true })
})

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
}

/** git as anybody has it. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, env: environment, maxBuffer: 100_000_000 })
  return stdout.trim()
}

async function refusalOf(run: Promise<unknown>): Promise<string> {
  return await run.then(
    () => 'It was not refused.',
    (error) => String(error.stderr),
  )
}

let projects = 0
async function createProject(): Promise<{ id: string; slug: string; remote(key?: string): string }> {
  const { status, body } = await it.call('POST', '/v1/projects', { body: { name: `Repository ${++projects}` } })
  expect(status).toBe(201)
  const remote = (key = testAdminKey) => `${url.replace('://', `://anybody:${key}@`)}/git/${body.slug}.git`
  return { id: body.id, slug: body.slug, remote }
}

let clones = 0
async function clone(remote: string): Promise<string> {
  const folder = join(root, `clone-${++clones}`)
  await git(root, 'clone', '--quiet', remote, folder)
  return folder
}

async function commit(folder: string, files: Record<string, string | Buffer>, message = 'Change'): Promise<string> {
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '-m', message)
  return await git(folder, 'rev-parse', 'HEAD')
}

async function jobsOf(projectId: string): Promise<{ branch: string; before: string | null; commit: string | null }[]> {
  const { rows } = await sql<{ data: never }>`
    select data from pgboss.job where name = 'repositories.pushed' and data->>'projectId' = ${projectId}
    order by created_on, data->>'branch'`.execute(it.services.db)
  return rows.map(({ data }) => {
    const { projectId: _, ...move } = data as { projectId: string }
    return move as never
  })
}

describe('a git client', () => {
  test('clones, pushes and sees what was pushed; each branch that moved is announced, and the push is recorded', async () => {
    const { id, remote } = await createProject()
    const folder = await clone(remote())
    const first = await git(folder, 'rev-parse', 'HEAD')
    expect(await git(folder, 'branch', '--show-current')).toBe('main')
    const second = await commit(folder, { 'new.md': '# New\n' })
    await git(folder, 'push', '--quiet', 'origin', 'main', 'HEAD:refs/heads/feature/x', 'HEAD:refs/tags/v1')
    const again = await clone(remote(readKey))
    expect(await git(again, 'rev-parse', 'HEAD')).toBe(second)
    expect(await jobsOf(id)).toEqual([
      { branch: 'feature/x', before: null, commit: second },
      { branch: 'main', before: first, commit: second },
    ])
    await git(folder, 'push', '--quiet', 'origin', ':feature/x')
    expect((await jobsOf(id)).at(-1)).toEqual({ branch: 'feature/x', before: second, commit: null })
    const { body } = await it.call('GET', '/v1/audit?limit=2')
    expect(body.records[0]).toMatchObject({ action: 'repository.push', target: id, actor: { kind: 'key' } })
  })

  test('speaks version 2 of the protocol, and fetches only what is new', async () => {
    const { remote } = await createProject()
    const folder = await clone(remote())
    const other = await clone(remote())
    await commit(other, { 'more.md': 'more' })
    await git(other, 'push', '--quiet')
    const { stderr } = await promisify(execFile)('git', ['fetch'], {
      cwd: folder,
      env: { ...environment, GIT_TRACE_PACKET: '1' },
    })
    expect(stderr).toContain('version 2')
    expect(await git(folder, 'rev-parse', 'origin/main')).toBe(await git(other, 'rev-parse', 'HEAD'))
  })

  test('pushes 4 MB in chunks, and gets them back', async () => {
    const { remote } = await createProject()
    const folder = await clone(remote())
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, number) => [`${number}.bin`, randomBytes(500_000)] as const),
    )
    const id = await commit(folder, files)
    await git(folder, '-c', 'http.postBuffer=100000', 'push', '--quiet')
    const again = await clone(remote())
    expect(await git(again, 'rev-parse', 'HEAD')).toBe(id)
    expect(await git(again, 'fsck', '--full')).toBe('')
  })

  test.each([
    ['in chunks', ['-c', 'http.postBuffer=100000']],
    ['with its size said beforehand', ['-c', 'http.postBuffer=100000000']],
  ])('is refused a push over the limit, %s, and nothing moves', async (_, options) => {
    const { id, remote } = await createProject()
    const folder = await clone(remote())
    await commit(folder, { 'large.bin': randomBytes(6_000_000) })
    expect(await refusalOf(git(folder, ...options, 'push'))).toMatch(/413|disconnected|hung up|unexpected|RPC failed/)
    expect(await jobsOf(id)).toEqual([])
  })

  test('sends what it asks for compressed, and is understood', async () => {
    const { slug, remote } = await createProject()
    const folder = await clone(remote())
    const head = await git(folder, 'rev-parse', 'HEAD')
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
    const body = `${line(`want ${head} no-progress\n`)}0000${line('done\n')}`
    const answer = await fetch(`${url}/git/${slug}.git/git-upload-pack`, {
      method: 'POST',
      body: gzipSync(body),
      headers: {
        authorization: `Bearer ${readKey}`,
        'content-type': 'application/x-git-upload-pack-request',
        'content-encoding': 'gzip',
      },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/x-git-upload-pack-result')
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(/^0008NAK\nPACK/)
  })

  test('runs no hook of the repository, and cannot push objects that git finds broken', async () => {
    const { id, remote } = await createProject()
    const folder = await clone(remote())
    const hooks = join(it.services.config.data, 'git', `${id}.git`, 'hooks')
    mkdirSync(hooks)
    const mark = join(root, 'hook-ran')
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    }
    await commit(folder, { 'a.md': 'a' })
    await git(folder, 'push', '--quiet')
    expect(existsSync(mark)).toBe(false)
    // A tree with a file called `.git`, made by hand.
    const blob = await git(folder, 'hash-object', '-w', 'a.md')
    const content = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
    writeFileSync(join(root, 'tree'), content)
    const tree = await git(folder, 'hash-object', '-t', 'tree', '--literally', '-w', join(root, 'tree'))
    const bad = await git(folder, 'commit-tree', tree, '-m', 'bad')
    expect(await refusalOf(git(folder, 'push', 'origin', `${bad}:refs/heads/bad`))).toMatch(
      /hasDotgit|fsck|unpacker error/,
    )
  })
})

describe('who may', () => {
  const path = (slug: string, rest = 'info/refs?service=git-upload-pack') => `/git/${slug}.git/${rest}`
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  })

  test('without a key, or with a wrong one, git and browsers are asked for a password', async () => {
    const { slug } = await createProject()
    const unknown = `docent_${randomBase62(43)}`
    for (const headers of [
      {},
      basic('x', unknown),
      basic(testAdminKey, ''),
      basic('', ''),
      { authorization: 'Basic !' },
    ]) {
      for (const service of ['git-upload-pack', 'git-receive-pack']) {
        for (const name of [slug, 'no-such-project']) {
          const answer = await it.call('GET', path(name, `info/refs?service=${service}`), { key: null, headers })
          expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="Docent"'])
        }
      }
    }
  })

  test('any user name does, as does a Bearer key', async () => {
    const { slug } = await createProject()
    for (const user of ['', 'me', 'ünï']) {
      const headers = basic(user, testAdminKey)
      expect((await it.call('GET', path(slug), { key: null, headers })).status).toBe(200)
    }
    expect((await it.call('GET', path(slug))).status).toBe(200)
  })

  test('a key for reading clones and does not push', async () => {
    const { id, slug, remote } = await createProject()
    const folder = await clone(remote(readKey))
    await commit(folder, { 'a.md': 'a' })
    expect(await refusalOf(git(folder, 'push'))).toContain('403')
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const answer = await it.call('POST', path(slug, 'git-receive-pack'), { key: readKey, headers, body: '0000' })
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.scope_missing'])
    expect(await jobsOf(id)).toEqual([])
  })

  test('a key of another organization finds nothing, in the same words as for what does not exist', async () => {
    const { slug } = await createProject()
    const { key } = await it.createOrganization('Others')
    const github = { name: 'Elsewhere', source: { provider: 'github', repository: 'acme/docs' } }
    const elsewhere = (await it.call('POST', '/v1/projects', { body: github })).body.slug
    const answers = [
      await it.call('GET', path(slug), { key }),
      await it.call('GET', path('no-such-project'), { key }),
      await it.call('GET', path(elsewhere)),
      await it.call('GET', `/git/${slug}/info/refs?service=git-upload-pack`),
      await it.call('GET', '/git/..%2f..%2fx.git/info/refs?service=git-upload-pack'),
    ]
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { error: 'There is no such repository.', code: 'repository.not_found' }])
    }
  })

  test('nothing but the smart protocol is served', async () => {
    const { slug } = await createProject()
    for (const rest of ['HEAD', 'config', 'objects/info/packs', 'info/../config', 'info/refs/x']) {
      expect((await it.call('GET', path(slug, rest))).status).toBe(404)
    }
    expect((await it.call('GET', path(slug, 'info/refs'))).status).toBe(403)
  })

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/json'])(
    'a form of another site, which a browser adds the password to, is not taken for a push: %s',
    async (type) => {
      const { slug } = await createProject()
      const headers = { ...basic('x', testAdminKey), 'content-type': type }
      const options = { key: null, headers, body: '0000' }
      expect((await it.call('POST', path(slug, 'git-receive-pack'), options)).status).toBe(415)
      expect((await it.call('POST', path(slug, 'git-upload-pack'), options)).status).toBe(415)
    },
  )
})

describe('a client that goes away', () => {
  /** git's server is told the folder that it may serve. */
  const children = () => processesWith(it.services.config.repositories)

  test('in the middle of a push leaves no process and no branch behind', async () => {
    const { id, slug } = await createProject()
    const socket = sendRequest(`${url}/git/${slug}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testAdminKey}`,
        'content-type': 'application/x-git-receive-pack-request',
        'transfer-encoding': 'chunked',
      },
    })
    socket.on('error', () => {})
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/half\0 report-status`
    socket.write(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000PACK`)
    await vi.waitFor(() => expect(children()).not.toEqual([]), { timeout: 5_000 })
    socket.destroy()
    await vi.waitFor(() => expect(children()).toEqual([]), { timeout: 10_000 })
    expect(await jobsOf(id)).toEqual([])
  })

  test('in the middle of a clone leaves no process behind', async () => {
    const { remote } = await createProject()
    const folder = await clone(remote())
    await commit(folder, { 'large.bin': randomBytes(4_500_000) })
    await git(folder, 'push', '--quiet')
    const child = spawn('git', ['clone', '--quiet', remote(), join(root, 'never')], {
      env: environment,
      stdio: 'ignore',
      // What git starts would go on with the clone for as long as it takes: it is killed with it.
      detached: true,
    })
    await vi.waitFor(() => expect(children()).not.toEqual([]), { timeout: 20_000, interval: 5 })
    process.kill(-child.pid!, 'SIGKILL')
    await vi.waitFor(() => expect(children()).toEqual([]), { timeout: 20_000 })
  })
})
