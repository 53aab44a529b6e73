import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCommit, plainGit } from '../../../tests/harness/git-history.ts'
import { readLastChanges } from './last-changes.ts'
import { initBareRepository } from './repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-last-changes-'))
const gitDir = join(folder, 'repository.git')
const commits: string[] = []

beforeAll(async () => {
  await initBareRepository(gitDir, 'main')
  const names = ['docs/a.mdx', 'docs/b.mdx', 'docs/ü\n"x".mdx', 'src/a.mdx']
  const files = names.map((path) => ({ path, content: path }))
  commits.push(importCommit(gitDir, 'main', { files, seconds: 1_000 }))
  commits.push(importCommit(gitDir, 'main', { files: [{ path: 'docs/a.mdx', content: '2' }], seconds: 2_000 }))
  commits.push(importCommit(gitDir, 'main', { files: [{ path: 'src/a.mdx', content: '3' }], seconds: 3_000 }))
  commits.push(importCommit(gitDir, 'main', { files: [], deleted: ['docs/b.mdx'], seconds: 4_000 }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = (at: number, root: string, paths: string[], since: string | null = null) =>
  readLastChanges({ gitDir, commit: commits[at]!, since, root, paths: new Set(paths) })

test('a file has the time of the last commit that changed it', async () => {
  expect(await ask(3, 'docs', ['a.mdx', 'ü\n"x".mdx'])).toEqual(
    new Map([
      ['a.mdx', 2_000],
      ['ü\n"x".mdx', 1_000],
    ]),
  )
  expect(await ask(3, '', ['src/a.mdx', 'docs/a.mdx'])).toEqual(
    new Map([
      ['src/a.mdx', 3_000],
      ['docs/a.mdx', 2_000],
    ]),
  )
})

test('it is that of the commit that is asked about, not of later ones', async () => {
  expect(await ask(0, 'docs', ['a.mdx', 'b.mdx'])).toEqual(
    new Map([
      ['a.mdx', 1_000],
      ['b.mdx', 1_000],
    ]),
  )
})

test('with a commit before, only what came after it is told', async () => {
  expect(await ask(3, '', ['docs/a.mdx', 'src/a.mdx'], commits[1]!)).toEqual(new Map([['src/a.mdx', 3_000]]))
})

test('what is brought in by a merge has the time of its own commit', async () => {
  plainGit(gitDir, ['update-ref', 'refs/heads/side', commits[1]!])
  const side = importCommit(gitDir, 'side', { files: [{ path: 'docs/c.mdx', content: 'c' }], seconds: 2_500 })
  const tree = plainGit(gitDir, ['rev-parse', `${side}^{tree}`])
  const parents = ['-p', commits[3]!, '-p', side]
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  commits.push(plainGit(gitDir, [...identity, 'commit-tree', tree, ...parents, '-m', 'merge']))
  expect(await ask(4, 'docs', ['c.mdx'])).toEqual(new Map([['c.mdx', 2_500]]))
})

test('it stops when it is told to', async () => {
  const signal = AbortSignal.abort()
  const asked = readLastChanges({ gitDir, commit: commits[0]!, since: null, root: '', paths: new Set(['x']), signal })
  await expect(asked).rejects.toThrow()
})
