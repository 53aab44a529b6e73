import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { importCommit, plainGit } from '#tests/harness/git-history.ts'
import { type GitHttpServer, startGitHttpServer } from '#tests/harness/git-http-server.ts'
import { processesWith } from '#tests/harness/processes.ts'
import { until } from '#tests/harness/until.ts'
import { openGitTree } from '../files/git-tree.ts'
import { deleteMirror } from './mirror.ts'
import type { Credential, Remote } from './remote.ts'
import { openRemoteRepository } from './remote-repository.ts'
import { initBareRepository } from './repository.ts'
import { writeCommit } from './write-commit.ts'
import { type NewObject, objectId, writeObjects } from './write-objects.ts'

const secret = 'tok:en/with+odd=chars'
const credential: Credential = { username: 'x-access-token', password: secret }

let root: string
let server: GitHttpServer
/** The repository on the other side, and where ours is kept. */
let origin: string
let mirrorDir: string
let name: string
let count = 0

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'docent-remote-'))
  mkdirSync(join(root, 'served'))
  server = await startGitHttpServer(join(root, 'served'))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(async () => {
  server.reset()
  name = `docs-${count++}.git`
  origin = join(root, 'served', name)
  mirrorDir = join(root, `mirror-${count}.git`)
  await initBareRepository(origin, 'trunk')
  plainGit(origin, ['config', 'http.receivepack', 'true'])
})

const commitTo = (branch: string, path = 'index.md', content = `${branch} ${count}\n`) =>
  importCommit(origin, branch, { files: [{ path, content }] })

const httpRemote = (more: Partial<Extract<Remote, { kind: 'http' }>> = {}): Remote => ({
  kind: 'http',
  url: `${server.url}/${name}`,
  credential: null,
  ...more,
})
const openHttp = (more: Partial<Extract<Remote, { kind: 'http' }>> = {}, signal?: AbortSignal) =>
  openRemoteRepository({ remote: httpRemote(more), mirrorDir, signal })

/** A commit on top of another, in the repository's own objects. */
const commitIn = (gitDir: string, parent: string | null, content: string) =>
  writeCommit(gitDir, {
    parent,
    root: '',
    changes: [{ path: 'index.md', content: Buffer.from(content) }],
    message: 'Change\n',
    author: { name: 'Docent', email: 'docent@localhost' },
    date: new Date('2030-01-01T00:00:00Z'),
  })

function refuseBy(hook: 'pre-receive' | 'update', words: string): void {
  mkdirSync(join(origin, 'hooks'), { recursive: true })
  writeFileSync(join(origin, 'hooks', hook), `#!/bin/sh\necho "${words}" >&2\nexit 1\n`)
  chmodSync(join(origin, 'hooks', hook), 0o755)
}

describe.each(['http', 'local'] as const)('a repository of the %s kind', (kind) => {
  const open = () =>
    openRemoteRepository({ remote: kind === 'http' ? httpRemote() : { kind, gitDir: origin }, mirrorDir })

  test('gives its default branch, the branches asked for, and their objects', async () => {
    const trunk = commitTo('trunk')
    const next = commitTo('docs/next')
    const repository = await open()
    const found = await repository.fetch({ branches: [null, 'docs/next', 'missing'] })
    expect(found).toEqual({
      defaultBranch: 'trunk',
      heads: new Map([
        ['trunk', trunk],
        ['docs/next', next],
      ]),
    })
    expect(plainGit(repository.gitDir, ['cat-file', 'blob', `${next}:index.md`])).toBe(`docs/next ${count}`)
  })

  test('does not take a branch for another whose name it begins or ends', async () => {
    commitTo('trunk')
    commitTo('a/b')
    commitTo('x/refs/heads/b')
    const repository = await open()
    const { heads } = await repository.fetch({ branches: ['a', 'b', 'refs/heads/b'] })
    expect(heads).toEqual(new Map())
    expect(await repository.findHead('a')).toBeNull()
    expect(await repository.findHead('b')).toBeNull()
  })

  test('is pushed to: a new branch, then forward, then nothing', async () => {
    const base = commitTo('trunk')
    const repository = await open()
    await repository.fetch({ branches: [null] })
    const one = await commitIn(repository.gitDir, base, 'one')
    const two = await commitIn(repository.gitDir, one, 'two')
    await repository.push({ branch: 'docent/job', commit: one, expected: null })
    expect(plainGit(origin, ['rev-parse', 'docent/job'])).toBe(one)
    await repository.push({ branch: 'docent/job', commit: two, expected: one })
    expect(await repository.findHead('docent/job')).toBe(two)
    // As after a kill between the push and the note that it was done.
    await repository.push({ branch: 'docent/job', commit: two, expected: one })
    await repository.push({ branch: 'docent/job', commit: two, expected: two })
    expect(plainGit(origin, ['cat-file', 'blob', 'docent/job:index.md'])).toBe('two')
  })

  test.each(['is elsewhere', 'is there already', 'is gone'])('is not pushed to when the branch %s', async (how) => {
    const base = commitTo('trunk')
    const repository = await open()
    await repository.fetch({ branches: [null] })
    const mine = await commitIn(repository.gitDir, base, 'mine')
    let expected: string | null = base
    if (how === 'is there already') expected = null
    if (how !== 'is gone') commitTo('job', 'other.md')
    const there = plainGit(origin, ['for-each-ref', 'refs/heads/job'])
    await expect(repository.push({ branch: 'job', commit: mine, expected })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'git.branch_moved',
    })
    expect(plainGit(origin, ['for-each-ref', 'refs/heads/job'])).toBe(there)
  })

  test('refuses a branch below another branch', async () => {
    const base = commitTo('trunk')
    const repository = await open()
    await repository.fetch({ branches: [null] })
    await expect(repository.push({ branch: 'trunk/deeper', commit: base, expected: null })).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'git.push_refused',
    })
  })

  test('takes one of several pushes at once', async () => {
    const base = commitTo('trunk')
    const repository = await open()
    await repository.fetch({ branches: [null] })
    const commits = await Promise.all(['a', 'b', 'c', 'd'].map((text) => commitIn(repository.gitDir, base, text)))
    const results = await Promise.allSettled(
      commits.map((commit) => repository.push({ branch: 'job', commit, expected: null })),
    )
    const taken = results.flatMap((result, index) => (result.status === 'fulfilled' ? [commits[index]] : []))
    expect(taken).toEqual([plainGit(origin, ['rev-parse', 'job'])])
    for (const result of results) {
      if (result.status === 'rejected')
        expect(['git.branch_moved', 'git.remote_unavailable']).toContain(result.reason.code)
    }
  })

  test('that is not there is not found', async () => {
    rmSync(origin, { recursive: true })
    const repository = await open()
    await expect(repository.fetch({ branches: [null] })).rejects.toMatchObject({
      kind: 'not_found',
      code: 'git.repository_not_found',
    })
  })
})

describe('a local repository', () => {
  test('whose branch a killed git left locked can be pushed to again', async () => {
    const base = commitTo('trunk')
    const repository = await openRemoteRepository({ remote: { kind: 'local', gitDir: origin }, mirrorDir })
    const lock = join(origin, 'refs', 'heads', 'trunk.lock')
    writeFileSync(lock, '')
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000))
    const next = await commitIn(origin, base, 'next')
    await repository.push({ branch: 'trunk', commit: next, expected: base })
    expect(plainGit(origin, ['rev-parse', 'trunk'])).toBe(next)
    expect(existsSync(lock)).toBe(false)
  })

  test('without a commit has a default branch and no heads', async () => {
    const repository = await openRemoteRepository({ remote: { kind: 'local', gitDir: origin }, mirrorDir })
    expect(await repository.fetch({ branches: [null] })).toEqual({ defaultBranch: 'trunk', heads: new Map() })
  })

  test('refuses a commit that it does not have', async () => {
    const base = commitTo('trunk')
    const repository = await openRemoteRepository({ remote: { kind: 'local', gitDir: origin }, mirrorDir })
    const push = repository.push({ branch: 'trunk', commit: '1'.repeat(40), expected: base })
    await expect(push).rejects.toMatchObject({ code: expect.stringMatching(/^git\.(push_refused|failed)$/) })
    expect(plainGit(origin, ['rev-parse', 'trunk'])).toBe(base)
  })
})

describe('a mirror', () => {
  test('is made at the first fetch; a later one asks for nothing but where the branches are', async () => {
    importCommit(origin, 'trunk', {
      files: Array.from({ length: 300 }, (_, index) => ({
        path: `page-${index}.md`,
        content: `${index}\n`.repeat(500),
      })),
    })
    await (await openHttp()).fetch({ branches: [null] })
    const first = server.sentBytes
    server.reset()
    await (await openHttp()).fetch({ branches: ['trunk'] })
    expect(server.requests.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1)
    expect(server.sentBytes).toBeLessThan(1000)

    server.reset()
    commitTo('trunk', 'page-7.md', 'new\n')
    await (await openHttp()).fetch({ branches: ['trunk'] })
    expect(server.sentBytes).toBeGreaterThan(0)
    expect(server.sentBytes).toBeLessThan(first / 2)
    expect(plainGit(mirrorDir, ['cat-file', 'blob', 'trunk:page-7.md'])).toBe('new')
  })

  test('has no tags, no other branches, no hooks and no address', async () => {
    commitTo('trunk')
    commitTo('other', 'large.bin', 'x'.repeat(100_000))
    plainGit(origin, ['tag', 'v1', 'other'])
    await (await openHttp({ credential })).fetch({ branches: [null] })
    expect(plainGit(mirrorDir, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/trunk')
    expect(readdirSync(mirrorDir).sort()).toEqual(['HEAD', 'config', 'objects', 'refs'])
    expect(plainGit(mirrorDir, ['config', '--list', '--local'])).not.toMatch(/127\.0\.0\.1|extraheader/)
    expect(() => plainGit(mirrorDir, ['cat-file', '-e', 'other'])).toThrow()
  })

  test('follows a branch that was rewritten', async () => {
    commitTo('trunk')
    await (await openHttp()).fetch({ branches: [null] })
    plainGit(origin, ['update-ref', '-d', 'refs/heads/trunk'])
    const other = commitTo('trunk', 'elsewhere.md')
    expect((await (await openHttp()).fetch({ branches: [null] })).heads.get('trunk')).toBe(other)
  })

  test('follows a branch whose name was a folder of branches, and the other way round', async () => {
    commitTo('trunk')
    commitTo('docs')
    await (await openHttp()).fetch({ branches: ['docs'] })
    plainGit(origin, ['update-ref', '-d', 'refs/heads/docs'])
    const deeper = commitTo('docs/deeper')
    expect((await (await openHttp()).fetch({ branches: ['docs/deeper'] })).heads.get('docs/deeper')).toBe(deeper)
    plainGit(origin, ['update-ref', '-d', 'refs/heads/docs/deeper'])
    const again = commitTo('docs')
    expect((await (await openHttp()).fetch({ branches: ['docs'] })).heads.get('docs')).toBe(again)
  })

  test('finds a branch that we pushed without fetching it', async () => {
    const base = commitTo('trunk')
    const repository = await openHttp()
    await repository.fetch({ branches: [null] })
    const mine = await commitIn(mirrorDir, base, 'mine')
    await repository.push({ branch: 'job', commit: mine, expected: null })
    server.reset()
    expect((await repository.fetch({ branches: [null, 'job'] })).heads.get('job')).toBe(mine)
    expect(server.requests.filter(({ line }) => line.startsWith('POST'))).toHaveLength(1)
  })

  test('serves several at once, also when each is a process of its own', async () => {
    const head = commitTo('trunk')
    const branches = ['a', 'b', 'c', 'd']
    for (const branch of branches) commitTo(branch, `${branch}.md`)
    const script = `
      import { openRemoteRepository } from ${JSON.stringify(join(import.meta.dirname, 'remote-repository.ts'))}
      const [url, mirrorDir, branch] = process.argv.slice(1)
      const repository = await openRemoteRepository({ remote: { kind: 'http', url, credential: null }, mirrorDir })
      console.log((await repository.fetch({ branches: [null, branch] })).heads.get('trunk'))`
    const { spawn } = await import('node:child_process')
    const elsewhere = branches.slice(0, 3).map(
      (branch) =>
        new Promise<string>((settle) => {
          const args = ['--input-type=module', '-e', script, `${server.url}/${name}`, mirrorDir, branch]
          const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
          let text = ''
          child.stdout.on('data', (chunk) => (text += chunk))
          child.stderr.on('data', (chunk) => (text += chunk))
          child.on('close', () => settle(text.trim()))
        }),
    )
    const here = branches.map(async (branch) => {
      const { heads } = await (await openHttp()).fetch({ branches: [null, branch] })
      return heads.get('trunk')
    })
    expect(await Promise.all([...elsewhere, ...here])).toEqual(Array(7).fill(head))
    expect(plainGit(mirrorDir, ['fsck', '--full', '--no-dangling'])).toBe('')
  })

  test.each([
    ['an object file cut short', () => damageObjects((path) => writeFileSync(path, 'x'))],
    ['no objects', () => rmSync(join(mirrorDir, 'objects'), { recursive: true })],
    ['a branch that points nowhere', () => writeFileSync(join(mirrorDir, 'refs/heads/trunk'), `${'1'.repeat(40)}\n`)],
    ['a branch that is no branch', () => writeFileSync(join(mirrorDir, 'refs/heads/trunk'), 'nonsense')],
    ['a config that is none', () => writeFileSync(join(mirrorDir, 'config'), '[[[')],
    ['no HEAD', () => rmSync(join(mirrorDir, 'HEAD'))],
    ['an index of a pack that is none', () => writeFileSync(join(mirrorDir, 'objects/pack/pack-1.idx'), 'x')],
  ])('with %s is made anew', async (_, damage) => {
    commitTo('trunk')
    await (await openHttp()).fetch({ branches: [null] })
    const head = commitTo('trunk', 'b.md')
    damage()
    const repository = await openHttp()
    expect((await repository.fetch({ branches: [null] })).heads.get('trunk')).toBe(head)
    expect(plainGit(mirrorDir, ['cat-file', 'blob', 'trunk:b.md'])).toBe(`trunk ${count}`)
    expect(plainGit(mirrorDir, ['cat-file', '-t', 'trunk~1^{tree}'])).toBe('tree')
  })

  function damageObjects(damage: (path: string) => void): void {
    for (const entry of readdirSync(join(mirrorDir, 'objects'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      chmodSync(path, 0o644)
      damage(path)
    }
  }

  test('that lacks a file is made anew by the fetch after the one who missed it', async () => {
    const head = commitTo('trunk')
    await (await openHttp()).fetch({ branches: [null] })
    const blob = plainGit(mirrorDir, ['rev-parse', 'trunk:index.md'])
    for (const pack of packsOf(mirrorDir)) {
      const content = readFileSync(pack)
      for (const ending of ['.pack', '.idx', '.rev']) rmSync(pack.replace(/\.pack$/, ending), { force: true })
      plainGit(mirrorDir, ['unpack-objects', '-q'], content)
    }
    rmSync(join(mirrorDir, 'objects', blob.slice(0, 2), blob.slice(2)))
    const read = async () => {
      const { gitDir, fetch } = await openHttp()
      await fetch({ branches: [null] })
      await using tree = await openGitTree({ gitDir, commit: head, root: '' })
      return await tree.read('index.md')
    }
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', code: 'git.object_missing' })
    expect(String(await read())).toBe(`trunk ${count}\n`)
  })

  test('that was made anew after a commit was written to it makes the push unavailable, not wrong', async () => {
    const base = commitTo('trunk')
    const repository = await openHttp()
    await repository.fetch({ branches: [null] })
    const mine = await commitIn(mirrorDir, base, 'mine')
    await deleteMirror(mirrorDir)
    await (await openHttp()).fetch({ branches: [null] })
    await expect(repository.push({ branch: 'job', commit: mine, expected: null })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.object_missing',
    })
  })

  test('with what killed gits left behind works, and is rid of it', async () => {
    commitTo('trunk')
    await (await openHttp()).fetch({ branches: [null] })
    const head = commitTo('trunk', 'b.md')
    const old = new Date(Date.now() - 5 * 60 * 60_000)
    const left = ['refs/heads/trunk.lock', 'objects/pack/tmp_pack_abc', 'objects/pack/.tmp-1-pack-x.pack']
    for (const path of [...left, 'objects/pack/tmp_pack_young']) writeFileSync(join(mirrorDir, path), 'x')
    for (const path of left) utimesSync(join(mirrorDir, path), old, old)
    expect((await (await openHttp()).fetch({ branches: [null] })).heads.get('trunk')).toBe(head)
    expect(left.filter((path) => existsSync(join(mirrorDir, path)))).toEqual([])
    // This one may be of a fetch that goes on at this moment.
    expect(existsSync(join(mirrorDir, 'objects/pack/tmp_pack_young'))).toBe(true)
  })

  test('that is deleted is made again', async () => {
    const head = commitTo('trunk')
    await (await openHttp()).fetch({ branches: [null] })
    await deleteMirror(mirrorDir)
    await deleteMirror(mirrorDir)
    expect(existsSync(mirrorDir)).toBe(false)
    expect((await (await openHttp()).fetch({ branches: [null] })).heads.get('trunk')).toBe(head)
  })

  test('that has grown is packed, and loses what nothing leads to any more', async () => {
    commitTo('trunk')
    commitTo('docent/old')
    await (await openHttp()).fetch({ branches: [null, 'docent/old'] })
    await writeObjects(mirrorDir, manyBlobs())
    const [pack] = packsOf(mirrorDir).slice(-1)
    for (let copy = 0; copy < 51; copy++) {
      const name = join(mirrorDir, 'objects', 'pack', `pack-${String(copy).padStart(40, '0')}`)
      for (const ending of ['pack', 'idx']) copyFileSync(pack!.replace(/pack$/, ending), `${name}.${ending}`)
    }
    for (const file of packsOf(mirrorDir)) utimesSync(file, new Date('2020-01-01'), new Date('2020-01-01'))
    const [unreachable] = manyBlobs().keys()
    expect(existsIn(mirrorDir, unreachable!)).toBe(true)
    const young = await commitIn(mirrorDir, null, 'not pushed yet')
    commitTo('trunk', 'b.md')
    await (await openHttp()).fetch({ branches: [null] })
    expect(packsOf(mirrorDir).length).toBeLessThan(5)
    expect(plainGit(mirrorDir, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/trunk')
    expect(existsIn(mirrorDir, unreachable!)).toBe(false)
    // Somebody is about to push this one.
    expect(existsIn(mirrorDir, young)).toBe(true)
    expect(plainGit(mirrorDir, ['cat-file', 'blob', 'trunk:b.md'])).toBe(`trunk ${count}`)
  })
})

function manyBlobs(): Map<string, NewObject> {
  const blobs = Array.from({ length: 101 }, (_, index): NewObject => {
    return { type: 'blob', content: Buffer.from(`unreachable ${index}`) }
  })
  return new Map(blobs.map((blob) => [objectId(blob), blob]))
}

const packsOf = (gitDir: string) => {
  const folder = join(gitDir, 'objects', 'pack')
  const packs = readdirSync(folder).filter((file) => file.endsWith('.pack'))
  return packs.map((file) => join(folder, file)).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
}

function existsIn(gitDir: string, id: string): boolean {
  try {
    plainGit(gitDir, ['cat-file', '-e', id])
    return true
  } catch {
    return false
  }
}

describe('a default branch', () => {
  test('that HEAD does not name is the one with the same commit', async () => {
    const head = commitTo('trunk')
    commitTo('aside')
    writeFileSync(join(origin, 'HEAD'), `${head}\n`)
    expect((await (await openHttp()).fetch({ branches: [null] })).defaultBranch).toBe('trunk')
  })

  test('of a repository without a commit is a conflict that says what to do', async () => {
    await expect((await openHttp()).fetch({ branches: [null] })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'git.repository_empty',
      message: expect.stringContaining('push one first'),
    })
  })
})

describe('a credential', () => {
  test('is sent with every request to its host, and is nowhere else', async () => {
    server.behaviour.credential = `${credential.username}:${secret}`
    const base = commitTo('trunk')
    const repository = await openHttp({ credential })
    await repository.fetch({ branches: [null] })
    await repository.push({ branch: 'job', commit: await commitIn(mirrorDir, base, 'x'), expected: null })
    expect(server.requests.length).toBeGreaterThan(4)
    expect(server.requests.every(({ authorization }) => authorization !== null)).toBe(true)
    const kept = readdirSync(mirrorDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const texts = kept.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    expect(texts.some((text) => text.includes(secret) || text.includes('Basic'))).toBe(false)
  })

  test('is not sent to where a redirect leads', async () => {
    commitTo('trunk')
    const seen: (string | undefined)[] = []
    const thief = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(404).end()
    })
    await new Promise<void>((settle) => thief.listen(0, '127.0.0.1', settle))
    const elsewhere = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/x.git/info/refs?service=git-upload-pack`
    server.behaviour.answers = [{ when: /info\/refs/, status: 301, headers: { location: elsewhere } }]
    await expect((await openHttp({ credential })).fetch({ branches: [null] })).rejects.toMatchObject({
      kind: 'not_found',
      code: 'git.repository_moved',
    })
    expect(seen).toEqual([])
    thief.close()
  })

  test('in the address itself is not used, nor shown', async () => {
    server.behaviour.answers = [{ when: /./, status: 404 }]
    const url = `${server.url}/${name}`.replace('http://', 'http://somebody:hidden-word@')
    const error = await (await openHttp({ url })).fetch({ branches: [null] }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'git.repository_not_found' })
    expect(error.message).not.toContain('hidden-word')
    expect(server.requests.every(({ authorization }) => authorization === null)).toBe(true)
  })

  test('that the server sends back is not in the error', async () => {
    commitTo('trunk')
    const repository = await openHttp({ credential })
    await repository.fetch({ branches: [null] })
    const mine = await commitIn(mirrorDir, null, 'x')
    const encoded = Buffer.from(`${credential.username}:${secret}`).toString('base64')
    refuseBy('pre-receive', `you sent Basic ${encoded}, which is ${secret}`)
    const error = await repository.push({ branch: 'job', commit: mine, expected: null }).catch((thrown) => thrown)
    expect(error).toMatchObject({ kind: 'forbidden', code: 'git.push_refused' })
    expect(error.message).toContain('you sent')
    expect(error.message).not.toContain(secret)
    expect(error.message).not.toContain(encoded)
  })
})

describe('a server that answers', () => {
  test.each([
    [401, 'unauthenticated', 'git.credential_refused'],
    [403, 'forbidden', 'git.access_refused'],
    [404, 'not_found', 'git.repository_not_found'],
    [429, 'rate_limited', 'git.rate_limited'],
    [500, 'unavailable', 'git.remote_unavailable'],
    [503, 'unavailable', 'git.remote_unavailable'],
  ])('%i to a fetch means %s', async (status, kind, code) => {
    commitTo('trunk')
    const repository = await openHttp({ credential })
    server.behaviour.answers = [{ when: /./, status }]
    const error = await repository.fetch({ branches: [null] }).catch((thrown) => thrown)
    expect(error).toMatchObject({ kind, code, message: expect.stringContaining(`${server.url}/${name}`) })
    expect(error.message).not.toContain(secret)
    await expect(repository.findHead('trunk')).rejects.toMatchObject({ kind, code })
  })

  test.each([
    [401, 'unauthenticated', 'git.credential_refused'],
    [403, 'forbidden', 'git.push_refused'],
    [404, 'not_found', 'git.repository_not_found'],
    [429, 'rate_limited', 'git.rate_limited'],
    [502, 'unavailable', 'git.remote_unavailable'],
  ])('%i to a push means %s, at either of its requests', async (status, kind, code) => {
    const base = commitTo('trunk')
    const repository = await openHttp({ credential })
    await repository.fetch({ branches: [null] })
    const commit = await commitIn(mirrorDir, base, 'x')
    for (const when of [/service=git-receive-pack/, /POST .*git-receive-pack/]) {
      server.behaviour.answers = [{ when, status }]
      await expect(repository.push({ branch: 'job', commit, expected: null })).rejects.toMatchObject({ kind, code })
    }
    expect(plainGit(origin, ['for-each-ref', 'refs/heads/job'])).toBe('')
  })

  test.each([
    ['pre-receive', 'GH006: Protected branch update failed'],
    ['update', 'GitLab: You are not allowed to push code to protected branches'],
  ] as const)('with the refusal of its %s hook means forbidden, and says why', async (hook, words) => {
    const base = commitTo('trunk')
    const repository = await openHttp()
    await repository.fetch({ branches: [null] })
    refuseBy(hook, words)
    const commit = await commitIn(mirrorDir, base, 'x')
    await expect(repository.push({ branch: 'trunk', commit, expected: base })).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'git.push_refused',
      message: expect.stringContaining(words),
    })
  })

  test('with no git at all has no repository', async () => {
    server.behaviour.answers = [{ when: /./, status: 200, body: '<html>\n<p>Welcome</p>\n</html>\n' }]
    await expect((await openHttp()).fetch({ branches: [null] })).rejects.toMatchObject({
      code: 'git.repository_not_found',
    })
  })

  test('half an answer is unavailable, and the next fetch goes on', async () => {
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 251))
    const head = importCommit(origin, 'trunk', { files: [{ path: 'a.bin', content }] })
    const repository = await openHttp()
    server.behaviour.breakAfterBytes = 1_000
    await expect(repository.fetch({ branches: [null] })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.remote_unavailable',
    })
    server.reset()
    expect((await repository.fetch({ branches: [null] })).heads.get('trunk')).toBe(head)
  })

  test('nothing to another is not waited for by one who gives up', async () => {
    commitTo('trunk')
    const patient = new AbortController()
    const hasty = new AbortController()
    const [first, second] = [await openHttp({}, patient.signal), await openHttp({}, hasty.signal)]
    server.behaviour.answers = []
    server.behaviour.delayMs = 400
    const [slow, quick] = [first, second].map((one) => one.fetch({ branches: [null] }).catch((thrown) => thrown))
    await sleep(1_500)
    server.behaviour.delayMs = 20_000
    hasty.abort()
    const started = performance.now()
    await quick
    expect(performance.now() - started).toBeLessThan(5_000)
    patient.abort()
    await slow
  })

  test('nothing is waited for only as long as the caller wants', async () => {
    commitTo('trunk')
    const stop = new AbortController()
    const repository = await openHttp({}, stop.signal)
    server.behaviour.delayMs = 20_000
    const fetching = repository.fetch({ branches: [null] })
    setTimeout(() => stop.abort(), 200)
    await expect(fetching).rejects.toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
  })
})

test('a server that is not there, or whose name is not, is unavailable', async () => {
  for (const url of [`http://127.0.0.1:${await freePort()}/x.git`, 'http://docs.invalid/x.git']) {
    await expect((await openHttp({ url })).fetch({ branches: [null] })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.remote_unavailable',
    })
  }
})

test.each(['ssh://host/x', 'file:///etc', '/etc', 'ext::sh -c id', '--upload-pack=id', 'git@host:x'])(
  'an address that is not http is invalid: %s',
  async (url) => {
    await expect(openHttp({ url })).rejects.toMatchObject({ kind: 'invalid', code: 'git.address_unsupported' })
  },
)

test('a git that is killed from outside in the middle of a fetch is unavailable', async () => {
  commitTo('trunk')
  const repository = await openHttp()
  server.behaviour.delayMs = 3_000
  const fetching = repository.fetch({ branches: [null] })
  const outcome = fetching.catch((thrown) => thrown)
  await until(() => server.requests.length > 0)
  // The helpers that speak HTTP, of this test's server alone.
  const helpers = processesWith(`remote-http ${server.url}/${name}`)
  expect(helpers.length).toBeGreaterThan(0)
  for (const pid of helpers) process.kill(pid, 'SIGKILL')
  expect(await outcome).toMatchObject({ kind: 'unavailable' })
})
