import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ImportedFile, importCommit } from '#tests/harness/git-history.ts'
import { type FileDiff, readDiff } from './read-diff.ts'
import { initBareRepository } from './repository.ts'
import { writeCommit } from './write-commit.ts'

let root: string
let gitDir: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-diff-'))
})
beforeEach(async () => {
  gitDir = join(root, `${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function diffOf(before: ImportedFile[], after: ImportedFile[], deleted: string[] = []) {
  const from = importCommit(gitDir, 'main', { files: before })
  const to = importCommit(gitDir, 'main', { files: after, deleted })
  return await readDiff(gitDir, { from, to })
}
const numbered = (length: number) => Array.from({ length }, (_, index) => `line ${index + 1}\n`).join('')
/** Lines as a person would write them down. */
const textOf = ({ hunks }: FileDiff) =>
  hunks.flatMap(({ lines }) =>
    lines.map(({ kind, text, oldNumber, newNumber }) => {
      return `${oldNumber ?? ''}:${newNumber ?? ''} ${{ context: ' ', added: '+', deleted: '-' }[kind]}${text}`
    }),
  )

describe('a diff', () => {
  test('has each file with what happened to it', async () => {
    const long = numbered(40)
    const { files, isCut } = await diffOf(
      [
        { path: 'changed.md', content: 'a\nb\nc\n' },
        { path: 'deleted.md', content: 'gone\n' },
        { path: 'old-name.md', content: long },
        { path: 'script', content: 'x\n' },
      ],
      [
        { path: 'changed.md', content: 'a\nB\nc\n' },
        { path: 'added.md', content: 'new\n' },
        { path: 'new name.md', content: `${long}more\n` },
        { path: 'script', content: 'x\n', mode: '100755' },
      ],
      ['deleted.md', 'old-name.md'],
    )
    expect(isCut).toBe(false)
    expect(files.map(({ status, path, oldPath, added, deleted }) => [status, path, oldPath, added, deleted])).toEqual([
      ['added', 'added.md', 'added.md', 1, 0],
      ['modified', 'changed.md', 'changed.md', 1, 1],
      ['deleted', 'deleted.md', 'deleted.md', 0, 1],
      ['renamed', 'new name.md', 'old-name.md', 1, 0],
      ['modified', 'script', 'script', 0, 0],
    ])
    expect(textOf(files[1]!)).toEqual(['1:1  a', '2: -b', ':2 +B', '3:3  c'])
    expect(textOf(files[3]!)).toEqual(['38:38  line 38', '39:39  line 39', '40:40  line 40', ':41 +more'])
    expect(files[4]).toMatchObject({ oldMode: '100644', newMode: '100755', hunks: [] })
  })

  test('has several hunks with their places', async () => {
    const before = numbered(100)
    const after = before.replace('line 10\n', 'ten\n').replace('line 90\n', '')
    const { files } = await diffOf([{ path: 'a', content: before }], [{ path: 'a', content: after }])
    expect(files[0]!.hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [7, 7],
      [87, 87],
    ])
    expect(textOf(files[0]!).filter((line) => /[-+]/.test(line))).toEqual(['10: -line 10', ':10 +ten', '90: -line 90'])
  })

  test('says where a file does not end in an end of line, and keeps carriage returns', async () => {
    const { files } = await diffOf([{ path: 'a', content: 'x\r\nend' }], [{ path: 'a', content: 'x\r\nEND\n' }])
    expect(files[0]!.hunks[0]!.lines.map(({ text, isUnfinished }) => [text, isUnfinished])).toEqual([
      ['x\r', false],
      ['end', true],
      ['END', false],
    ])
  })

  test('shows no content of binary files, and none of very large ones', async () => {
    const { files } = await diffOf(
      [],
      [
        { path: 'image.png', content: Buffer.from([137, 80, 0, 255]) },
        { path: 'large.md', content: 'text\n'.repeat(1_100_000) },
      ],
    )
    expect(files.map(({ isBinary, added, hunks }) => [isBinary, added, hunks])).toEqual([
      [true, null, []],
      [true, null, []],
    ])
  })

  test('of links and submodules shows where they lead', async () => {
    const { files } = await diffOf(
      [],
      [
        { path: 'link', content: '/etc/passwd', mode: '120000' },
        { path: 'module', commit: '1'.repeat(40) },
      ],
    )
    expect(files.map(({ newMode }) => newMode)).toEqual(['120000', '160000'])
    expect(textOf(files[0]!)).toEqual([':1 +/etc/passwd'])
    expect(textOf(files[1]!)).toEqual([`:1 +Subproject commit ${'1'.repeat(40)}`])
  })

  test('of nothing is empty, and of no commit is not found', async () => {
    const id = importCommit(gitDir, 'main', { files: [{ path: 'a', content: 'a' }] })
    expect(await readDiff(gitDir, { from: id, to: id })).toEqual({ files: [], isCut: false })
    await expect(readDiff(gitDir, { from: id, to: '1'.repeat(40) })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('a diff that is too large', () => {
  test('is cut, and says so where', async () => {
    const from = importCommit(gitDir, 'main', { files: [] })
    const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, content: numbered(500) }))
    const to = importCommit(gitDir, 'main', { files })
    const limits = { mostFiles: 3, mostPatchBytes: 10_000, mostLineLength: 100 }
    const diff = await readDiff(gitDir, { from, to, limits })
    expect(diff.isCut).toBe(true)
    expect(diff.files.map(({ path, isCut, added }) => [path, isCut, added])).toEqual([
      ['a', false, 500],
      ['b', true, 500],
      ['c', true, 500],
    ])
    expect(diff.files[0]!.hunks[0]!.lines).toHaveLength(500)
  })

  test('in one line is cut there', async () => {
    const from = importCommit(gitDir, 'main', { files: [] })
    const to = importCommit(gitDir, 'main', { files: [{ path: 'a', content: `${'x'.repeat(4_000_000)}\n` }] })
    const diff = await readDiff(gitDir, { from, to })
    expect(diff).toMatchObject({ isCut: true, files: [{ path: 'a', isCut: true, added: 1 }] })
    expect(diff.files[0]!.hunks.flatMap(({ lines }) => lines).every(({ text }) => text.length <= 5000)).toBe(true)
  })
})

describe('a hostile diff', () => {
  test('cannot make one file look like another, by its name or by its content', async () => {
    const path = 'x\ndiff --git a/y b/y\n@@ -1,1 +1,1 @@\n+fake'
    const content = 'diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-fake\n+fake\n\\ No newline at end of file\n'
    const { files } = await diffOf(
      [],
      [
        { path, content },
        { path: 'tab\tquote"\u001b[31m', content: 'x\n' },
        { path: Buffer.from([0x7a, 0xff]), content: Buffer.from([0xff, 0xfe, 10]) },
      ],
    )
    expect(files.map((file) => file.path)).toEqual(['tab\tquote"\u001b[31m', path, 'z\ufffd'])
    expect(textOf(files[1]!).map((line) => line.replace(/^:\d+ \+/, ''))).toEqual(content.split('\n').slice(0, -1))
    expect(textOf(files[2]!)).toEqual([':1 +\ufffd\ufffd'])
  })

  test('does not obey the attributes of the repository', async () => {
    const attributes = { path: '.gitattributes', content: '* -diff diff=evil textconv=evil filter=evil -text\n' }
    const { files } = await diffOf([attributes, { path: 'a.md', content: 'a\n' }], [{ path: 'a.md', content: 'b\n' }])
    expect(textOf(files[0]!)).toEqual(['1: -a', ':1 +b'])
  })

  test('is read right whatever was changed: applied to the old text it gives the new one', async () => {
    const line = fc.constantFrom('a', 'b', '', '-', '+', '\\', '@@ -1 +1 @@', '--- a', 'diff --git a/a b/a', ' x', 'é')
    const text = fc
      .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
      .map(([lines, isFinished]) => lines.join('\n') + (isFinished && lines.length > 0 ? '\n' : ''))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const commit = (content: string) =>
          writeCommit(gitDir, {
            parent: null,
            root: '',
            changes: [
              { path: 'a', content: Buffer.from(content) },
              { path: 'z', content: Buffer.from(`z${content === before}\n`) },
            ],
            message: 'x',
            author: { name: 'a', email: 'b' },
            date: new Date(0),
          })
        const [from, to] = [await commit(before), await commit(after)]
        const { files } = await readDiff(gitDir, { from, to })
        const file = files.find(({ path }) => path === 'a')
        expect(file ? apply(before, file) : before).toBe(after)
      }),
      { numRuns: 40 },
    )
  })
})

function apply(before: string, { hunks }: FileDiff): string {
  const old = before.split(/(?<=\n)/)
  const out: string[] = []
  let at = 0
  for (const { lines } of hunks) {
    for (const { kind, oldNumber, text, isUnfinished } of lines) {
      if (oldNumber !== null) while (at < oldNumber - 1) out.push(old[at++]!)
      if (oldNumber !== null) expect(old[at++]).toBe(isUnfinished ? text : `${text}\n`)
      if (kind !== 'deleted') out.push(isUnfinished ? text : `${text}\n`)
    }
  }
  return out.join('') + old.slice(at).join('')
}
