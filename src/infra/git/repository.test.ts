import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FirstCommit, initBareRepository, type TreeFile, writeFirstCommit } from './repository.ts'

let root: string
let gitDir: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-repository-'))
})
let count = 0
beforeEach(() => {
  gitDir = join(root, `repository-${count++}.git`)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** git as anybody has it, to look at what ours made. */
const git = (...args: string[]) => execFileSync('git', ['--git-dir', gitDir, ...args], { maxBuffer: 100_000_000 })
const gitText = (...args: string[]) =>
  git(...args)
    .toString('utf8')
    .trim()

const commit = (files: TreeFile[], more: Partial<FirstCommit> = {}): FirstCommit => ({
  branch: 'main',
  files,
  message: 'Start the documentation\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-02T03:04:05.678Z'),
  ...more,
})

/** Every file of the branch, by path. */
function filesOf(branch: string): Map<string, Buffer> {
  const names = git('ls-tree', '-r', '-z', '--full-tree', branch).toString('utf8').split('\0').filter(Boolean)
  return new Map(
    names.map((line) => {
      const [, , id, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line)!
      return [path!, git('cat-file', 'blob', id!)]
    }),
  )
}

describe('a new repository', () => {
  test('is bare, is on its branch, and has nothing but what git needs', async () => {
    await initBareRepository(gitDir, 'trunk/next')
    expect(readFileSync(join(gitDir, 'HEAD'), 'utf8')).toBe('ref: refs/heads/trunk/next\n')
    expect(gitText('rev-parse', '--is-bare-repository')).toBe('true')
    expect(readdirSync(gitDir).sort()).toEqual(['HEAD', 'config', 'objects', 'refs'])
    expect(existsSync(join(gitDir, 'hooks'))).toBe(false)
  })

  test('can be made where one is, without harm to it', async () => {
    await initBareRepository(gitDir, 'main')
    const id = await writeFirstCommit(gitDir, commit([{ path: 'a.md', content: 'a' }]))
    await initBareRepository(gitDir, 'main')
    expect(gitText('rev-parse', 'main')).toBe(id)
  })
})

describe('the first commit', () => {
  test('has exactly the files, byte for byte, and git finds nothing wrong with it', async () => {
    const files = [
      { path: 'index.mdx', content: '---\ntitle: "É"\n---\r\nno end of line' },
      { path: 'guides/deep/er/page.md', content: '\uFEFF# BOM\n' },
      { path: 'empty.md', content: '' },
      { path: 'images/logo.png', content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 13, 10, 26, 10, 255]) },
      { path: 'with space and ünïcode 😀.md', content: 'x' },
      { path: '-starts-with-a-dash.md', content: 'x' },
      { path: 'a"quote\'s\ttab.md', content: 'x' },
      { path: '.gitattributes', content: '* text=auto eol=lf filter=evil\n' },
    ]
    await initBareRepository(gitDir, 'main')
    const id = await writeFirstCommit(gitDir, commit(files))
    expect(gitText('rev-parse', 'refs/heads/main')).toBe(id)
    expect(gitText('rev-list', '--all', '--count')).toBe('1')
    expect(filesOf('main')).toEqual(
      new Map(files.map(({ path, content }) => [path, Buffer.from(content)]).sort() as never),
    )
    expect(gitText('fsck', '--full', '--strict', '--no-dangling')).toBe('')
    expect(existsSync(join(gitDir, 'first-commit.index'))).toBe(false)
  })

  test('says who, when and why, and is the same each time', async () => {
    await initBareRepository(gitDir, 'main')
    const files = [{ path: 'a.md', content: 'a' }]
    const id = await writeFirstCommit(gitDir, commit(files, { message: 'Über uns\n\nMore.\n' }))
    expect(gitText('cat-file', 'commit', id).split('\n').slice(1)).toEqual([
      'author Docent <docent@localhost> 1893553445 +0000',
      'committer Docent <docent@localhost> 1893553445 +0000',
      '',
      'Über uns',
      '',
      'More.',
    ])
    gitDir = join(root, 'again.git')
    await initBareRepository(gitDir, 'main')
    expect(await writeFirstCommit(gitDir, commit(files, { message: 'Über uns\n\nMore.\n' }))).toBe(id)
  })

  test('can be cloned, and the clone is on the branch', async () => {
    await initBareRepository(gitDir, 'docs/next')
    await writeFirstCommit(gitDir, commit([{ path: 'a/b.md', content: 'hello\n' }], { branch: 'docs/next' }))
    const clone = join(root, 'clone')
    execFileSync('git', ['clone', '--quiet', gitDir, clone])
    expect(readFileSync(join(clone, 'a', 'b.md'), 'utf8')).toBe('hello\n')
    expect(execFileSync('git', ['-C', clone, 'branch', '--show-current'], { encoding: 'utf8' })).toBe('docs/next\n')
    expect(execFileSync('git', ['-C', clone, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('')
  })

  test.each([
    '../outside.md',
    '/absolute.md',
    'a/../b.md',
    './a.md',
    'a//b.md',
    '.git/config',
    'a/.GIT/hooks/x',
    'a/',
    '',
  ])('with a path that git does not take is refused: %j', async (path) => {
    await initBareRepository(gitDir, 'main')
    await expect(writeFirstCommit(gitDir, commit([{ path, content: 'x' }]))).rejects.toMatchObject({
      kind: 'invalid',
      code: 'git.path_refused',
      message: `git takes no file with the path ${JSON.stringify(path)}.`,
    })
    expect(existsSync(join(gitDir, 'refs', 'heads', 'main'))).toBe(false)
  })

  test('with a path that is both a file and a folder is refused', async () => {
    await initBareRepository(gitDir, 'main')
    const files = [
      { path: 'a', content: 'x' },
      { path: 'a/b', content: 'x' },
    ]
    await expect(writeFirstCommit(gitDir, commit(files))).rejects.toMatchObject({ code: 'git.path_refused' })
  })

  test('after one that was refused or killed half-way has its own files only', async () => {
    await initBareRepository(gitDir, 'main')
    const refused = commit([
      { path: 'left-over.md', content: 'x' },
      { path: '../x', content: 'x' },
    ])
    await expect(writeFirstCommit(gitDir, refused)).rejects.toMatchObject({ code: 'git.path_refused' })
    const blob = execFileSync('git', ['--git-dir', gitDir, 'hash-object', '-w', '--stdin'], { input: 'x' })
    execFileSync(
      'git',
      ['--git-dir', gitDir, 'update-index', '--add', '--cacheinfo', `100644,${String(blob).trim()},killed.md`],
      {
        env: { ...process.env, GIT_INDEX_FILE: join(gitDir, 'first-commit.index') },
      },
    )
    await writeFirstCommit(gitDir, commit([{ path: 'mine.md', content: 'x' }]))
    expect([...filesOf('main').keys()]).toEqual(['mine.md'])
  })

  test('holds whatever content it was given', async () => {
    await initBareRepository(gitDir, 'main')
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.string({ unit: fc.constantFrom('\r\n', '\n', '\r', ' ', '\t', 'x', '\uFEFF'), maxLength: 20 }),
    )
    const name = fc.string({ unit: fc.constantFrom(...'abcé😀 -_.~"\'\\$`{}%\n\t'), minLength: 1, maxLength: 8 })
    const path = fc
      .array(
        // What git takes for its own folder on some system or other is refused, and is tested above.
        name.filter((text) => !/^\.{1,2}$|~/.test(text) && !text.includes('\\')),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => parts.map((part, index) => (index < parts.length - 1 ? `${part}d` : part)).join('/'))
    const files = fc.uniqueArray(fc.record({ path, content }), {
      selector: (file) => file.path,
      minLength: 1,
      maxLength: 4,
    })
    let branch = 0
    await fc.assert(
      fc.asyncProperty(files, async (list) => {
        // A path cannot be both a file and a folder.
        fc.pre(!list.some((file) => list.some((other) => other.path.startsWith(`${file.path}/`))))
        const on = `b${branch++}`
        await writeFirstCommit(gitDir, commit(list, { branch: on }))
        const found = filesOf(on)
        expect([...found.keys()].sort()).toEqual(list.map((file) => file.path).sort())
        for (const file of list) expect(found.get(file.path)).toEqual(Buffer.from(file.content))
      }),
      { numRuns: 25 },
    )
    expect(gitText('fsck', '--full', '--strict', '--no-dangling')).toBe('')
  })
})
