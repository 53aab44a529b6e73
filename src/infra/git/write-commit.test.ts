import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ImportedFile, importCommit, plainGit } from '#tests/harness/git-history.ts'
import type { FileChange } from '../files/editable-tree.ts'
import { openGitTree } from '../files/git-tree.ts'
import { isInnerPath } from './name-rules.ts'
import { initBareRepository } from './repository.ts'
import { type NewCommit, writeCommit } from './write-commit.ts'

let root: string
let gitDir: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-commit-'))
})
beforeEach(async () => {
  gitDir = join(root, `${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const commit = (changes: FileChange[], more: Partial<NewCommit> = {}): NewCommit => ({
  parent: null,
  root: '',
  changes,
  message: 'Change the docs\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-02T03:04:05Z'),
  ...more,
})
const put = (path: string, content: string | Buffer): FileChange => ({ path, content: Buffer.from(content) })
const remove = (path: string): FileChange => ({ path, content: null })
const base = (files: ImportedFile[]) => importCommit(gitDir, 'main', { files })
/** `<mode> <type> <id>\t<path>` of everything in a commit, quoted as git does. */
const listing = (id: string) => plainGit(gitDir, ['ls-tree', '-r', '-t', '--full-tree', id]).split('\n')
const contentOf = (id: string, path: string) => plainGit(gitDir, ['cat-file', 'blob', `${id}:${path}`])

const hostileBase: ImportedFile[] = [
  { path: 'run.sh', content: '#!/bin/sh\n', mode: '100755' },
  { path: 'page.md', content: 'page\r\n' },
  { path: 'link', content: '/etc/passwd', mode: '120000' },
  { path: 'folder-link', content: '..', mode: '120000' },
  { path: 'module', commit: '1'.repeat(40) },
  { path: 'docs/a.md', content: 'a' },
  { path: 'docs/deep/b.md', content: 'b' },
  { path: 'docs.md', content: 'sorted before docs/' },
  { path: Buffer.from([0x62, 0xff, 0xfe]), content: 'not UTF-8' },
  { path: 'Page.md', content: 'another case' },
]

describe('a commit', () => {
  test('changes, adds and deletes just what it says', async () => {
    const parent = base(hostileBase)
    const id = await writeCommit(
      gitDir,
      commit([put('page.md', 'new'), put('new/deep/er.md', 'x'), remove('docs/deep/b.md')], { parent }),
    )
    const changed = plainGit(gitDir, ['diff-tree', '-r', '--name-status', parent, id]).split('\n')
    expect(changed).toEqual(['D\tdocs/deep/b.md', 'A\tnew/deep/er.md', 'M\tpage.md'])
    // The folder went with its last file.
    expect(listing(id).some((line) => line.endsWith('\tdocs/deep'))).toBe(false)
    expect(plainGit(gitDir, ['rev-parse', `${id}^`])).toBe(parent)
    expect(plainGit(gitDir, ['rev-parse', 'main'])).toBe(parent)
  })

  test('works in the docs folder when there is one', async () => {
    const parent = base(hostileBase)
    const id = await writeCommit(gitDir, commit([put('a.md', 'new'), put('c.md', 'c')], { parent, root: 'docs' }))
    expect(plainGit(gitDir, ['diff-tree', '-r', '--name-only', parent, id])).toBe('docs/a.md\ndocs/c.md')
  })

  test('keeps the modes of files', async () => {
    const parent = base(hostileBase)
    const id = await writeCommit(gitDir, commit([put('run.sh', 'new'), put('page.md', 'new')], { parent }))
    const modes = listing(id).filter((line) => /\t(run\.sh|page\.md)$/.test(line))
    expect(modes.map((line) => line.slice(0, 6))).toEqual(['100644', '100755'])
  })

  test('is the same each time, and may be written twice', async () => {
    const parent = base(hostileBase)
    const changes = [put('x/b.md', 'b'), put('x/a.md', 'a'), remove('page.md')]
    const id = await writeCommit(gitDir, commit(changes, { parent }))
    expect(await writeCommit(gitDir, commit(changes.reverse(), { parent }))).toBe(id)
    expect(await writeCommit(gitDir, commit(changes, { parent, date: new Date(0) }))).not.toBe(id)
  })

  test('of nothing has the tree of its parent; of everything deleted, an empty one', async () => {
    const parent = base([{ path: 'a/b.md', content: 'b' }])
    const same = await writeCommit(gitDir, commit([put('a/b.md', 'b'), remove('not/there')], { parent }))
    expect(plainGit(gitDir, ['rev-parse', `${same}^{tree}`])).toBe(plainGit(gitDir, ['rev-parse', `${parent}^{tree}`]))
    const empty = await writeCommit(gitDir, commit([remove('a/b.md')], { parent }))
    expect(plainGit(gitDir, ['ls-tree', '-r', '-t', empty])).toBe('')
  })

  test('turns a file into a folder and a folder into a file when it says both', async () => {
    const parent = base([
      { path: 'a', content: 'file' },
      { path: 'b/c', content: 'below' },
    ])
    const changes = [remove('a'), put('a/x', 'x'), remove('b/c'), put('b', 'file')]
    const id = await writeCommit(gitDir, commit(changes, { parent }))
    expect(listing(id).map((line) => line.split('\t')[1])).toEqual(['a', 'a/x', 'b'])
  })

  test('has at most a few files beside it when it is large, and none but objects', async () => {
    const parent = base(hostileBase)
    const before = readdirSync(gitDir)
    const many = Array.from({ length: 300 }, (_, index) => put(`many/${index}.md`, `page ${index}`))
    const id = await writeCommit(gitDir, commit(many, { parent }))
    expect(contentOf(id, 'many/299.md')).toBe('page 299')
    expect(readdirSync(join(gitDir, 'objects')).length).toBeLessThan(20)
    expect(readdirSync(gitDir)).toEqual(before)
  })

  test('is one that git finds nothing wrong with', async () => {
    const parent = base(hostileBase.filter(({ commit: id }) => id === undefined))
    const id = await writeCommit(gitDir, commit([put('docs-2.md', 'x'), put('docs/z', 'z')], { parent }))
    plainGit(gitDir, ['update-ref', 'refs/heads/main', id])
    expect(plainGit(gitDir, ['fsck', '--full', '--strict', '--no-dangling'])).toBe('')
  })

  test('says who, when and why, whatever the texts are', async () => {
    const author = { name: ' Ada <script>\n.', email: '<a@b>\0' }
    const id = await writeCommit(gitDir, commit([put('a', 'a')], { author, message: 'Über\0\n\nuns' }))
    expect(plainGit(gitDir, ['cat-file', 'commit', id]).split('\n').slice(1)).toEqual([
      'author Ada script <a@b> 1893553445 +0000',
      'committer Ada script <a@b> 1893553445 +0000',
      '',
      'Über',
      '',
      'uns',
    ])
    plainGit(gitDir, ['update-ref', 'refs/heads/main', id])
    expect(plainGit(gitDir, ['fsck', '--strict'])).toBe('')
  })

  test('on a parent that is not there is unavailable', async () => {
    const writing = writeCommit(gitDir, commit([put('a', 'a')], { parent: '1'.repeat(40) }))
    await expect(writing).rejects.toMatchObject({ kind: 'unavailable', code: 'git.object_missing' })
  })

  test('is given up when the caller says so', async () => {
    const writing = writeCommit(gitDir, commit([put('a', 'a')], { signal: AbortSignal.abort() }))
    await expect(writing).rejects.toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
  })
})

describe('a path that is refused', () => {
  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    '.git',
    '.GIT/config',
    'a/.Git/hooks/post-checkout',
    '.git ',
    '.git.',
    '.git...  ',
    '.git::$INDEX_ALLOCATION',
    'git~1/config',
    'GIT~1',
    '.g\u200cit/config',
    '\ufeff.git',
    '.gi\u206ft',
    'a\\b',
    '..\\x',
    '.git\\config',
    'a\0b',
    '\ud800',
    'x'.repeat(256),
  ])('is %j', async (path) => {
    const parent = base([{ path: 'a.md', content: 'a' }])
    const writing = writeCommit(gitDir, commit([put(path, 'x')], { parent }))
    await expect(writing).rejects.toMatchObject({ kind: 'invalid', code: 'git.path_refused' })
  })

  test.each([
    ['link', 'a link or a submodule'],
    ['module', 'a link or a submodule'],
    ['folder-link/x.md', 'a link or a submodule'],
    ['module/x.md', 'a link or a submodule'],
    ['docs', 'a folder'],
    ['page.md/x', 'a file'],
  ])('is %s, which is there and something else', async (path, what) => {
    const parent = base(hostileBase)
    const writing = writeCommit(gitDir, commit([put(path, 'x')], { parent }))
    await expect(writing).rejects.toMatchObject({
      kind: 'invalid',
      code: 'git.path_refused',
      message: expect.stringContaining(what),
    })
  })

  test.each(['link', 'module', 'folder-link/x.md'])('is %s, also to delete', async (path) => {
    const parent = base(hostileBase)
    const writing = writeCommit(gitDir, commit([remove(path)], { parent }))
    await expect(writing).rejects.toMatchObject({ code: 'git.path_refused' })
  })

  test('is refused in the docs folder too, wherever that is', async () => {
    for (const folder of ['.git', '..', 'a/../b']) {
      const writing = writeCommit(gitDir, commit([put('a', 'x')], { root: folder }))
      await expect(writing).rejects.toMatchObject({ code: 'git.path_refused' })
    }
  })
})

const anyName = fc
  .string({ unit: fc.constantFrom(...'abcABé😀 -_.~"\'$`{}%\u0301'), minLength: 1, maxLength: 6 })
  .filter((name) => isInnerPath(name))
const anyPath = fc.array(anyName, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const anyContent = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  fc
    .string({ unit: fc.constantFrom('\r\n', '\n', '\r', ' ', '\t', '$Id$', '\uFEFF', '\0'), maxLength: 12 })
    .map((text) => Buffer.from(text)),
)
/** Paths of which none is a folder of another. */
const anyFiles = fc
  .uniqueArray(fc.tuple(anyPath, anyContent), { selector: ([path]) => path, maxLength: 6 })
  .map((files) => files.filter(([path]) => !files.some(([other]) => other.startsWith(`${path}/`))))

test('whatever is written is read back, and nothing else is there', async () => {
  await fc.assert(
    fc.asyncProperty(anyFiles, fc.oneof(fc.constant(''), anyPath), async (files, folder) => {
      const changes = files.map(([path, content]) => ({ path, content }))
      const id = await writeCommit(gitDir, commit([...changes, put('z', 'always')], { root: folder }))
      await using tree = await openGitTree({ gitDir, commit: id, root: folder })
      expect([...tree.entries.keys()].sort()).toEqual([...files.map(([path]) => path), 'z'].sort())
      for (const [path, content] of files) expect(await tree.read(path)).toEqual(content)
    }),
    { numRuns: 40 },
  )
})

test('whatever is changed, all other bytes, modes and names stay as they were', async () => {
  const parent = base(hostileBase)
  const before = new Map(listing(parent).map((line) => [line.split('\t')[1]!, line]))
  const touchable = hostileBase.flatMap(({ path, commit: id, mode }) =>
    typeof path === 'string' && id === undefined && mode !== '120000' ? [path] : [],
  )
  const change = fc.record({ path: fc.constantFrom(...touchable), content: fc.option(anyContent) })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(change, { selector: ({ path }) => path, maxLength: 4 }), async (changes) => {
      const id = await writeCommit(gitDir, commit(changes, { parent }))
      const after = new Map(listing(id).map((line) => [line.split('\t')[1]!, line]))
      const touched = new Set(changes.map(({ path }) => path))
      for (const [path, line] of before) {
        const isFolder = line.startsWith('040000')
        if (!touched.has(path) && !isFolder) expect(after.get(path)).toBe(line)
      }
      for (const { path, content } of changes) {
        if (content === null) expect(after.has(path)).toBe(false)
        else {
          const bytes = execFileSync('git', ['--git-dir', gitDir, 'cat-file', 'blob', `${id}:${path}`])
          expect(bytes).toEqual(content)
        }
      }
    }),
    { numRuns: 30 },
  )
})
