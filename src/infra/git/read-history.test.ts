import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importCommit, plainGit } from '#tests/harness/git-history.ts'
import { listCommits, mergeBase } from './read-history.ts'
import { initBareRepository } from './repository.ts'

let root: string
let gitDir: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-history-'))
})
beforeEach(async () => {
  gitDir = join(root, `${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const commitTo = (branch: string, path: string, more = {}) =>
  importCommit(gitDir, branch, { files: [{ path, content: path }], ...more })
const branchOff = (branch: string, from: string) => plainGit(gitDir, ['update-ref', `refs/heads/${branch}`, from])

describe('the commit that two have in common', () => {
  test('is the newest one, or none', async () => {
    const base = commitTo('main', 'a')
    branchOff('job', base)
    const head = commitTo('job', 'b')
    const main = commitTo('main', 'c')
    expect(await mergeBase(gitDir, main, head)).toBe(base)
    expect(await mergeBase(gitDir, base, head)).toBe(base)
    expect(await mergeBase(gitDir, head, commitTo('apart', 'x'))).toBeNull()
  })

  test('with one that is not there is not found', async () => {
    const base = commitTo('main', 'a')
    await expect(mergeBase(gitDir, base, '1'.repeat(40))).rejects.toMatchObject({
      kind: 'not_found',
      code: 'git.commit_not_found',
    })
  })
})

describe('the commits of a branch', () => {
  test('are those that the other lacks, oldest first', async () => {
    const base = commitTo('main', 'a')
    branchOff('job', base)
    const one = commitTo('job', 'b', { message: 'Add b\n\nand more\n', seconds: 1_900_000_001 })
    const two = commitTo('job', 'c', { message: 'Ünd c', author: 'Grace <g@example.com>', seconds: 1_900_000_000 })
    const main = commitTo('main', 'd')
    expect(await listCommits(gitDir, { from: main, to: two })).toEqual([
      { id: one, subject: 'Add b', authorName: 'Ada', date: new Date(1_900_000_001_000) },
      { id: two, subject: 'Ünd c', authorName: 'Grace', date: new Date(1_900_000_000_000) },
    ])
    expect(await listCommits(gitDir, { from: two, to: two })).toEqual([])
  })

  test('are the newest when there are too many', async () => {
    const base = commitTo('main', 'a')
    const ids = ['b', 'c', 'd'].map((path) => commitTo('main', path))
    const listed = await listCommits(gitDir, { from: base, to: ids[2]!, most: 2 })
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(1))
  })

  test('with hostile words stay apart', async () => {
    const base = commitTo('main', 'a')
    const message = 'one\r%H%x00two \u001b[31m <script>\nstill the subject\n\nbody\n'
    commitTo('main', 'b', { message, author: '%an "; rm -rf <x@y>' })
    commitTo('main', 'c', { message: '' })
    const listed = await listCommits(gitDir, { from: base, to: plainGit(gitDir, ['rev-parse', 'main']) })
    expect(listed).toHaveLength(2)
    expect(listed[0]!.subject).toContain('%H%x00two')
    expect(listed[0]!.authorName).toBe('%an "; rm -rf')
    expect(listed[1]!.subject).toBe('')
  })

  test('may claim any time', async () => {
    const base = commitTo('main', 'a')
    const tree = plainGit(gitDir, ['rev-parse', 'main^{tree}'])
    const text = `tree ${tree}\nparent ${base}\nauthor A <a@b> 99999999999999999 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`
    const id = plainGit(gitDir, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text)
    const [listed] = await listCommits(gitDir, { from: base, to: id })
    expect(Number.isNaN(listed!.date.getTime())).toBe(false)
  })
})
