import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ImportedFile, importCommit, plainGit } from '#tests/harness/git-history.ts'
import { mergeBranches } from './merge-branches.ts'
import { initBareRepository } from './repository.ts'

let root: string
let gitDir: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-merge-'))
})
beforeEach(async () => {
  gitDir = join(root, `${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const commitTo = (branch: string, files: ImportedFile[], deleted: string[] = []) =>
  importCommit(gitDir, branch, { files, deleted })
/** Two branches from one commit. */
function branches(common: ImportedFile[]) {
  const base = commitTo('main', common)
  plainGit(gitDir, ['update-ref', 'refs/heads/job', base])
  return base
}
const merge = (base: string, head: string) =>
  mergeBranches(gitDir, {
    base,
    head,
    message: 'Merge pull request 1\n',
    author: { name: 'Docent', email: 'docent@localhost' },
    date: new Date('2030-01-01T00:00:00Z'),
  })

describe('a merge', () => {
  test('goes forward when nothing else happened', async () => {
    const base = branches([{ path: 'a', content: 'a\n' }])
    const head = commitTo('job', [{ path: 'b', content: 'b\n' }])
    expect(await merge(base, head)).toEqual({ kind: 'fast-forward', commit: head })
    expect(await merge(head, base)).toEqual({ kind: 'up-to-date' })
    expect(await merge(head, head)).toEqual({ kind: 'up-to-date' })
  })

  test('has both changes and both parents, and is the same each time', async () => {
    const lines = (first: string, last: string) => `${first}\n${'between\n'.repeat(10)}${last}\n`
    branches([{ path: 'a.md', content: lines('a', 'z') }])
    const base = commitTo('main', [{ path: 'a.md', content: lines('A', 'z') }])
    const head = commitTo('job', [{ path: 'a.md', content: lines('a', 'Z') }])
    const result = await merge(base, head)
    expect(result.kind).toBe('merged')
    const { commit } = result as { commit: string }
    expect(plainGit(gitDir, ['cat-file', 'blob', `${commit}:a.md`])).toBe(lines('A', 'Z').trim())
    expect(plainGit(gitDir, ['rev-parse', `${commit}^1`, `${commit}^2`])).toBe(`${base}\n${head}`)
    expect(await merge(base, head)).toEqual(result)
    expect(plainGit(gitDir, ['rev-parse', 'main'])).toBe(base)
  })

  test('that cannot be made names the files, and moves nothing', async () => {
    branches([
      { path: 'a.md', content: 'a\n' },
      { path: 'line\nbreak.md', content: 'a\n' },
      { path: 'deleted.md', content: 'a\n' },
    ])
    const base = commitTo('main', [
      { path: 'a.md', content: 'main\n' },
      { path: 'line\nbreak.md', content: 'main\n' },
      { path: 'deleted.md', content: 'main\n' },
    ])
    const head = commitTo(
      'job',
      [
        { path: 'a.md', content: 'job\n' },
        { path: 'line\nbreak.md', content: 'job\n' },
      ],
      ['deleted.md'],
    )
    expect(await merge(base, head)).toEqual({ kind: 'conflict', files: ['a.md', 'deleted.md', 'line\nbreak.md'] })
    expect(plainGit(gitDir, ['rev-parse', 'main'])).toBe(base)
  })

  test('does not obey the attributes of the repository', async () => {
    branches([
      { path: '.gitattributes', content: '*.md merge=union\n*.txt merge=ours\n' },
      { path: 'a.md', content: 'a\n' },
      { path: 'b.txt', content: 'b\n' },
    ])
    const base = commitTo(
      'main',
      ['a.md', 'b.txt'].map((path) => ({ path, content: 'main\n' })),
    )
    const head = commitTo(
      'job',
      ['a.md', 'b.txt'].map((path) => ({ path, content: 'job\n' })),
    )
    expect(await merge(base, head)).toEqual({ kind: 'conflict', files: ['a.md', 'b.txt'] })
  })

  test('of what has nothing in common, or is not there, is refused', async () => {
    const base = commitTo('main', [{ path: 'a', content: 'a' }])
    const apart = commitTo('apart', [{ path: 'b', content: 'b' }])
    await expect(merge(base, apart)).rejects.toMatchObject({ kind: 'conflict', code: 'git.unrelated_histories' })
    await expect(merge(base, '1'.repeat(40))).rejects.toMatchObject({ kind: 'not_found' })
  })
})
