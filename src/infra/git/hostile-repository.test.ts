import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ImportedFile, importCommit, plainGit } from '#tests/harness/git-history.ts'
import { type GitHttpServer, startGitHttpServer } from '#tests/harness/git-http-server.ts'
import { openGitTree, readFileAt } from '../files/git-tree.ts'
import { mergeBranches } from './merge-branches.ts'
import { readDiff } from './read-diff.ts'
import { openRemoteRepository } from './remote-repository.ts'
import { initBareRepository } from './repository.ts'
import { writeCommit } from './write-commit.ts'

let root: string
let server: GitHttpServer
let origin: string
let mirrorDir: string
/** Made by whatever of a repository's own runs. */
let marker: string
let count = 0
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'docent-hostile-'))
  mkdirSync(join(root, 'served'))
  server = await startGitHttpServer(join(root, 'served'))
})
beforeEach(async () => {
  server.reset()
  origin = join(root, 'served', `${count++}.git`)
  mirrorDir = join(root, `mirror-${count}.git`)
  marker = join(root, `touched-${count}`)
  await initBareRepository(origin, 'main')
  plainGit(origin, ['config', 'http.receivepack', 'true'])
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

const openHttp = () =>
  openRemoteRepository({
    remote: { kind: 'http', url: `${server.url}/${count - 1}.git`, credential: null },
    mirrorDir,
  })
const change = {
  message: 'Change\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-01T00:00:00Z'),
}

/** Everything that a job does with a repository: fetch, list, read, change, compare, merge, push. */
async function work(): Promise<{ paths: string[]; contents: Map<string, Buffer>; pushed: string; base: string }> {
  const repository = await openHttp()
  const { gitDir } = repository
  const base = (await repository.fetch({ branches: [null] })).heads.get('main')!
  await using tree = await openGitTree({ gitDir, commit: base, root: '' })
  const paths = [...tree.entries.keys()]
  const contents = new Map<string, Buffer>()
  for (const path of paths) contents.set(path, (await tree.read(path))!)
  const changes = [{ path: 'new-page.md', content: Buffer.from('$Id$ $Format:%H$\r\n') }]
  const pushed = await writeCommit(gitDir, { ...change, parent: base, root: '', changes })
  const other = await writeCommit(gitDir, {
    ...change,
    parent: base,
    root: '',
    changes: [{ path: 'other.md', content: Buffer.from('other') }],
  })
  await readDiff(gitDir, { from: base, to: pushed })
  expect(await mergeBranches(gitDir, { ...change, base: other, head: pushed })).toMatchObject({ kind: 'merged' })
  await repository.push({ branch: 'docent/job', commit: pushed, expected: null })
  return { paths, contents, pushed, base }
}

const bytesIn = (path: string, commit: string) => plainGit(origin, ['cat-file', 'blob', `${commit}:${path}`])

describe('a repository', () => {
  test('with attributes and filters gives its bytes as they are, and gets them back so', async () => {
    const attributes = `* text eol=crlf ident export-subst working-tree-encoding=UTF-16 filter=evil diff=evil merge=evil\n`
    const files: ImportedFile[] = [
      { path: '.gitattributes', content: attributes },
      { path: 'docs/.gitattributes', content: attributes },
      { path: 'page.md', content: '$Id$ $Format:%H$\n\r\r\n\uFEFF' },
      { path: 'docs/page.md', content: '$Id: 1234 $\r\n' },
      { path: '.gitconfig', content: `[filter "evil"]\n\tclean = touch ${marker}\n\tsmudge = touch ${marker}\n` },
      { path: '.lfsconfig', content: '[lfs]\n\turl = http://127.0.0.1:1/\n' },
      {
        path: 'lfs.bin',
        content: `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`,
      },
    ]
    importCommit(origin, 'main', { files })
    const { contents, pushed, base } = await work()
    for (const { path, content } of files) {
      if (!String(path).endsWith('.gitattributes')) expect(String(contents.get(String(path)))).toBe(content)
    }
    expect(bytesIn('new-page.md', pushed)).toBe('$Id$ $Format:%H$')
    expect(plainGit(origin, ['diff-tree', '-r', '--name-only', base, pushed])).toBe('new-page.md')
    expect(existsSync(marker)).toBe(false)
  })

  test('with hooks, a monitor and settings of its own in its folder runs none of them', async () => {
    const base = importCommit(origin, 'main', { files: [{ path: 'a.md', content: 'a' }] })
    const hooks = join(origin, 'hooks')
    mkdirSync(hooks)
    for (const hook of ['reference-transaction', 'update', 'pre-receive', 'post-receive', 'post-update', 'pre-push']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${marker}\nexit 1\n`)
      chmodSync(join(hooks, hook), 0o755)
    }
    for (const [key, value] of [
      ['core.hooksPath', hooks],
      ['core.fsmonitor', `touch ${marker}`],
      ['core.alternateRefsCommand', `touch ${marker}`],
      ['diff.external', `touch ${marker}`],
      ['merge.evil.driver', `touch ${marker}`],
      ['diff.evil.textconv', `touch ${marker}`],
      ['uploadpack.packObjectsHook', `touch ${marker}`],
    ] as const) {
      plainGit(origin, ['config', key, value])
    }
    const repository = await openRemoteRepository({ remote: { kind: 'local', gitDir: origin }, mirrorDir })
    await repository.fetch({ branches: [null] })
    const changes = [{ path: 'a.md', content: Buffer.from('b') }]
    const next = await writeCommit(origin, { ...change, parent: base, root: '', changes })
    const side = await writeCommit(origin, { ...change, parent: base, root: 'x', changes })
    await readDiff(origin, { from: base, to: next })
    await mergeBranches(origin, { ...change, base: next, head: side })
    await using tree = await openGitTree({ gitDir: origin, commit: next, root: '' })
    await tree.read('a.md')
    await repository.push({ branch: 'main', commit: next, expected: base })
    expect(existsSync(marker)).toBe(false)
    expect(plainGit(origin, ['cat-file', 'blob', `${next}:a.md`])).toBe('b')
  })

  test('with links out of it and submodules shows neither, and keeps them', async () => {
    importCommit(origin, 'main', {
      files: [
        { path: 'page.md', content: 'page' },
        { path: 'passwd.md', content: '/etc/passwd', mode: '120000' },
        { path: 'up', content: '../../..', mode: '120000' },
        { path: 'AGENTS.md', content: '/proc/self/environ', mode: '120000' },
        { path: 'module', commit: '2'.repeat(40) },
        { path: '.gitmodules', content: '[submodule "module"]\n\tpath = module\n\turl = http://127.0.0.1:1/x.git\n' },
      ],
    })
    const { paths, pushed, base } = await work()
    expect(paths).toEqual(['page.md'])
    expect(await readFileAt(mirrorDir, { commit: base, path: 'AGENTS.md' })).toBeNull()
    expect(plainGit(origin, ['diff-tree', '-r', '--name-only', base, pushed])).toBe('new-page.md')
  })

  test('with odd names shows those that can be shown, and keeps all', async () => {
    const odd = ['back\\slash.md', 'new\nline.md', 'esc\u001b[31m.md', 'tab\t.md', '\u0085next.md']
    const fine = [
      'Page.md',
      'page.md',
      'PAGE.md',
      '-rf',
      '--help',
      ' space ',
      '...',
      'a..b',
      '%2e%2e',
      'é.md',
      'e\u0301.md',
      '$(id).md',
      '*',
    ]
    importCommit(origin, 'main', {
      files: [
        ...[...odd, ...fine].map((path) => ({ path, content: path })),
        { path: Buffer.from([0x78, 0xff]), content: 'x' },
        { path: 'x'.repeat(300), content: 'long' },
      ],
    })
    const { paths, contents, pushed, base } = await work()
    expect(paths).toEqual([...fine].sort())
    for (const path of fine) expect(String(contents.get(path))).toBe(path)
    expect(plainGit(origin, ['diff-tree', '-r', '--name-only', base, pushed])).toBe('new-page.md')
  })

  test.each([
    '.git/config',
    '.GIT/config',
    'docs/.Git/hooks/post-checkout',
    '.git ',
    '.git.',
    'git~1/config',
    'GIT~1',
    '.g\u200cit/config',
    '\ufeff.git/config',
    '.git::$INDEX_ALLOCATION/config',
  ])('with a name that passes for git’s own is refused, or shows no such file: %j', async (path) => {
    importEntry(path)
    const error = await work().then(
      ({ paths }) => ({ code: 'none', paths }),
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ kind: 'invalid', code: 'git.objects_refused' })
    // One that lies here already, since nothing fetched it, shows the rest.
    const commit = plainGit(origin, ['rev-parse', 'main'])
    await using tree = await openGitTree({ gitDir: origin, commit, root: '' })
    expect([...tree.entries.keys()]).toEqual(['page.md'])
    expect(await tree.read(path)).toBeNull()
    expect(await readFileAt(origin, { commit, path })).toBeNull()
  })

  test('with a link where git reads its settings is refused', async () => {
    importCommit(origin, 'main', {
      files: [
        { path: '.gitmodules', content: '/etc/passwd', mode: '120000' },
        { path: 'a', content: 'a' },
      ],
    })
    await expect(work()).rejects.toMatchObject({ kind: 'invalid', code: 'git.objects_refused' })
  })

  test('with the faults of old programs is taken', async () => {
    const blob = plainGit(origin, ['hash-object', '-w', '--stdin'], 'old')
    const tree = Buffer.concat([Buffer.from('0100644 page.md\0'), Buffer.from(blob, 'hex')])
    const id = plainGit(origin, ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], tree)
    const text = `tree ${id}\nauthor A <a@b> 1 +51800\ncommitter A<a@b> 1 +0000\n\nold\n`
    const commit = plainGit(origin, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text)
    plainGit(origin, ['update-ref', 'refs/heads/main', commit])
    const { paths, pushed } = await work()
    expect(paths).toEqual(['page.md'])
    expect(plainGit(origin, ['ls-tree', pushed]).split('\n')[1]).toMatch(/^100644 blob .*\tpage\.md$/)
  })

  test('of another hash than ours is unsupported', async () => {
    rmSync(origin, { recursive: true })
    plainGit(origin, ['init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', origin])
    importCommit(origin, 'main', { files: [{ path: 'a', content: 'a' }] })
    await expect(work()).rejects.toMatchObject({ kind: 'unsupported', code: 'git.format_unsupported' })
  })
})

/** A commit with this path beside a page, written as raw trees: git's own programs refuse some of them. */
function importEntry(path: string): void {
  const object = (type: string, content: string | Buffer) =>
    plainGit(origin, ['hash-object', '-t', type, '-w', '--stdin', '--literally'], content)
  const item = (mode: string, name: string, id: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
  const [first, ...rest] = path.split('/').reverse()
  let entry = { mode: '100644', name: first!, id: object('blob', `[core]\n\tfsmonitor = touch ${marker}\n`) }
  for (const folder of rest) {
    entry = { mode: '40000', name: folder, id: object('tree', item(entry.mode, entry.name, entry.id)) }
  }
  const page = { mode: '100644', name: 'page.md', id: object('blob', 'page') }
  const items = [entry, page].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const tree = object('tree', Buffer.concat(items.map(({ mode, name, id }) => item(mode, name, id))))
  const commit = object('commit', `tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`)
  plainGit(origin, ['update-ref', 'refs/heads/main', commit])
}
