import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { importCommit } from '#tests/harness/git-history.ts'
import { processesWith } from '#tests/harness/processes.ts'
import { initBareRepository } from '../git/repository.ts'
import { blobId } from './editable-tree.ts'
import { createGitCache } from './git-cache.ts'
import { openGitTree, readFileAt } from './git-tree.ts'

let root: string
let gitDir: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-tree-'))
})
beforeEach(async () => {
  gitDir = join(root, `${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The git processes that work on this test's repository. */
const children = () => processesWith(`GIT_DIR=${gitDir} `)

describe('the tree of a commit', () => {
  test('has its files with their sizes and ids, in the order of paths', async () => {
    const files = [
      { path: 'b.md', content: 'b\r\n' },
      { path: 'a/c.md', content: Buffer.from([0, 255, 10]) },
      { path: 'a.md', content: '' },
      { path: 'run', content: 'x', mode: '100755' as const },
    ]
    const commit = importCommit(gitDir, 'main', { files })
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    const expected = files.map(({ path, content }) => {
      const bytes = Buffer.from(content)
      return [path, { path, size: bytes.length, id: blobId(bytes) }] as const
    })
    expect([...tree.entries]).toEqual(expected.sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const { path, content } of files) expect(await tree.read(path)).toEqual(Buffer.from(content))
    expect(await tree.read('missing')).toBeNull()
    expect(await tree.read('a')).toBeNull()
  })

  test('begins at the docs folder, and has nothing of outside', async () => {
    const files = ['docs/a.md', 'docs/guides/b.md', 'docs-2/c.md', 'd.md'].map((path) => ({ path, content: path }))
    const commit = importCommit(gitDir, 'main', { files })
    await using tree = await openGitTree({ gitDir, commit, root: 'docs' })
    expect([...tree.entries.keys()]).toEqual(['a.md', 'guides/b.md'])
    expect(await tree.read('../d.md')).toBeNull()
    expect(String(await tree.read('guides/b.md'))).toBe('docs/guides/b.md')
  })

  test.each([
    ['a folder that is missing', 'docs'],
    ['a file', 'a.md'],
    ['a link', 'link'],
    ['a folder outside', '..'],
    ['an option', '--help'],
    ['two lines', 'a\nb'],
  ])('at %s is not found', async (_, folder) => {
    const files = [
      { path: 'a.md', content: 'a' },
      { path: 'real/b.md', content: 'b' },
      { path: 'link', content: 'real', mode: '120000' as const },
    ]
    const commit = importCommit(gitDir, 'main', { files })
    await expect(openGitTree({ gitDir, commit, root: folder })).rejects.toMatchObject({
      kind: 'not_found',
      code: 'git.folder_not_found',
    })
  })

  test.each(['1'.repeat(40), 'main', 'HEAD', '--help', ''])('of no commit is not found: %j', async (commit) => {
    importCommit(gitDir, 'main', { files: [{ path: 'a.md', content: 'a' }] })
    await expect(openGitTree({ gitDir, commit, root: '' })).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('without a file is empty', async () => {
    const commit = importCommit(gitDir, 'main', { files: [] })
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    expect(tree.entries.size).toBe(0)
  })

  test('is read by one child, however many ask, which ends with the tree', async () => {
    const files = Array.from({ length: 2000 }, (_, index) => ({ path: `${index}.md`, content: `page ${index}\n` }))
    const commit = importCommit(gitDir, 'main', { files })
    const tree = await openGitTree({ gitDir, commit, root: '' })
    const contents = await Promise.all([...tree.entries.keys()].map((path) => tree.read(path)))
    expect(contents.map(String).sort()).toEqual(files.map(({ content }) => content).sort())
    expect(children()).toHaveLength(1)
    await tree[Symbol.asyncDispose]()
    expect(children()).toEqual([])
    // What it has read already may still be known; what it has not is not read any more.
    await using other = await openGitTree({ gitDir, commit, root: '' })
    await other[Symbol.asyncDispose]()
    await expect(other.read('1.md')).rejects.toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
  })

  test('of which all is known from before is read without asking git', async () => {
    const commit = importCommit(gitDir, 'main', { files: [{ path: 'docs/a.md', content: 'a' }] })
    const cache = createGitCache()
    const first = await openGitTree({ gitDir, commit, root: '', cache })
    await first.read('docs/a.md')
    await first[Symbol.asyncDispose]()
    await using again = await openGitTree({ gitDir, commit, root: '', cache })
    expect(again.entries).toBe(first.entries)
    expect(String(await again.read('docs/a.md'))).toBe('a')
    expect(children()).toEqual([])
    expect(cache.objects.find(again.entries.get('docs/a.md')!.id), 'not by its id alone').toBeNull()
    await using inner = await openGitTree({ gitDir, commit, root: 'docs', cache })
    expect([...inner.entries.keys()], 'another folder is another list').toEqual(['a.md'])
  })

  test('whose child is killed says that it is unavailable, to those who wait and those who come', async () => {
    const commit = importCommit(gitDir, 'main', {
      files: [
        { path: 'a.md', content: 'a' },
        { path: 'b.md', content: 'b' },
      ],
    })
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    await tree.read('a.md')
    for (const pid of children()) process.kill(pid, 'SIGSTOP')
    const waiting = tree.read('b.md')
    const outcome = waiting.catch((thrown) => thrown)
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    expect(await outcome).toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
    await expect(tree.read('b.md')).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('whose caller gives up is closed', async () => {
    const commit = importCommit(gitDir, 'main', { files: [{ path: 'a.md', content: 'a' }] })
    const stop = new AbortController()
    await using tree = await openGitTree({ gitDir, commit, root: '', signal: stop.signal })
    await tree.read('a.md')
    stop.abort()
    await vi.waitFor(() => expect(children()).toEqual([]), 10_000)
  })

  test('does not outlive a process that is killed', async () => {
    const commit = importCommit(gitDir, 'main', { files: [{ path: 'a.md', content: 'a' }] })
    const script = `
      import { openGitTree } from ${JSON.stringify(join(import.meta.dirname, 'git-tree.ts'))}
      const tree = await openGitTree({ gitDir: ${JSON.stringify(gitDir)}, commit: '${commit}', root: '' })
      await tree.read('a.md')
      process.kill(process.pid, 'SIGKILL')`
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })).toThrow()
    await vi.waitFor(() => expect(children()).toEqual([]), 10_000)
  })
})

describe('a large repository', () => {
  test('of 50,000 files is opened in a moment, and any of them is read', async () => {
    const files = Array.from({ length: 50_000 }, (_, index) => ({
      path: `d${index % 97}/${index}.md`,
      content: `${index % 100}`,
    }))
    const commit = importCommit(gitDir, 'main', { files })
    const started = performance.now()
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    expect(tree.entries.size).toBe(50_000)
    expect(String(await tree.read('d0/0.md'))).toBe('0')
    expect(String(await tree.read(`d${49_999 % 97}/49999.md`))).toBe('99')
    // 0.2 s on an idle machine; a process for each file would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('with a file of 100 MB lists it and does not read it', async () => {
    const files = [
      { path: 'huge.bin', content: Buffer.alloc(100_000_000) },
      { path: 'a.md', content: 'a' },
    ]
    const commit = importCommit(gitDir, 'main', { files })
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    expect(tree.entries.get('huge.bin')?.size).toBe(100_000_000)
    await expect(tree.read('huge.bin')).rejects.toMatchObject({ kind: 'too_large', code: 'file.too_large' })
    expect(String(await tree.read('a.md'))).toBe('a')
    await expect(readFileAt(gitDir, { commit, path: 'huge.bin' })).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('is read again and again though not all of it is kept', async () => {
    const files = Array.from({ length: 9 }, (_, index) => ({
      path: `${index}.bin`,
      content: Buffer.alloc(4_000_000, index),
    }))
    const commit = importCommit(gitDir, 'main', { files })
    await using tree = await openGitTree({ gitDir, commit, root: '' })
    for (let round = 0; round < 2; round++) {
      for (const { path, content } of files) expect((await tree.read(path))?.equals(content)).toBe(true)
    }
  })
})

describe('one file of a commit', () => {
  test('is read by its path; what is no ordinary file is not there', async () => {
    const commit = importCommit(gitDir, 'main', {
      files: [
        { path: '.github/pull_request_template.md', content: '## What\r\n' },
        { path: 'AGENTS.md', content: '/etc/passwd', mode: '120000' },
        { path: 'module', commit: '1'.repeat(40) },
        { path: 'a[b]*.md', content: 'a name, not a pattern' },
      ],
    })
    expect(String(await readFileAt(gitDir, { commit, path: '.github/pull_request_template.md' }))).toBe('## What\r\n')
    expect(String(await readFileAt(gitDir, { commit, path: 'a[b]*.md' }))).toBe('a name, not a pattern')
    for (const path of ['AGENTS.md', 'module', '.github', '', '*', '../x', '.git/config', 'a\0b', ':/AGENTS.md']) {
      expect(await readFileAt(gitDir, { commit, path })).toBeNull()
    }
  })

  test('above what the caller takes is too large', async () => {
    const commit = importCommit(gitDir, 'main', { files: [{ path: 'AGENTS.md', content: 'x'.repeat(101) }] })
    expect(await readFileAt(gitDir, { commit, path: 'AGENTS.md', mostBytes: 101 })).toHaveLength(101)
    await expect(readFileAt(gitDir, { commit, path: 'AGENTS.md', mostBytes: 100 })).rejects.toMatchObject({
      kind: 'too_large',
    })
  })
})
