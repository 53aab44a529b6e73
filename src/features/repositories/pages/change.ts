import { type FileDiff, readDiff } from '#infra/git/read-diff.ts'
import { type CommitSummary, listCommits, mergeBase } from '#infra/git/read-history.ts'
import { attemptGit } from '#infra/git/run-git.ts'
import { languageOf } from './highlight.ts'

/** What a pull request brings: its commits, and every file that differs from where it branched off. */
export interface Change {
  /** Newest first. */
  commits: CommitSummary[]
  hasMoreCommits: boolean
  files: ShownFile[]
  /** Whether files are missing from the list. */
  isCut: boolean
}

export interface ShownFile extends FileDiff {
  /** Whether the page has room for its lines. */
  isShown: boolean
  /** The whole text before and after, for highlighting; empty where nobody would see the colours. */
  before: string
  after: string
}

// What one page can carry and a person can read; the rest is for `git diff` on a clone.
const mostCommits = 100
const mostLines = 5_000
const mostColouredFiles = 60
const mostColouredBytes = 4_000_000
const limits = { mostFiles: 1_000, mostPatchBytes: 1_000_000, mostLineLength: 4_000 }

/** The change from where `head` left `base`; both are ids of commits. Throws `not_found` when one is not there. */
export async function readChange(gitDir: string, { base, head }: { base: string; head: string }): Promise<Change> {
  const from = (await mergeBase(gitDir, base, head)) ?? base
  const [commits, diff] = await Promise.all([
    listCommits(gitDir, { from: base, to: head, most: mostCommits + 1 }),
    readDiff(gitDir, { from, to: head, limits }),
  ])
  let lines = 0
  const files = diff.files.map((file) => {
    const count = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    const isShown = lines === 0 || lines + count <= mostLines
    if (isShown) lines += count
    return { ...file, isShown, before: '', after: '' }
  })
  await readTexts(gitDir, { from, head, files })
  return {
    commits: commits.slice(-mostCommits).reverse(),
    hasMoreCommits: commits.length > mostCommits,
    files,
    isCut: diff.isCut && files.length >= limits.mostFiles,
  }
}

/** A line is coloured by what stands before it in its file, so the whole of it is read. */
async function readTexts(
  gitDir: string,
  { from, head, files }: { from: string; head: string; files: ShownFile[] },
): Promise<void> {
  const coloured = files.filter((file) => file.isShown && file.hunks.length > 0 && languageOf(file.path) !== null)
  const wanted = coloured
    .slice(0, mostColouredFiles)
    .flatMap((file) => [
      ...(file.status === 'added'
        ? []
        : [{ name: `${from}:${file.oldPath}`, take: (text: string) => (file.before = text) }]),
      ...(file.status === 'deleted'
        ? []
        : [{ name: `${head}:${file.path}`, take: (text: string) => (file.after = text) }]),
    ])
  if (wanted.length === 0) return
  const input = wanted.map(({ name }) => `${name}\0`).join('')
  const args = ['cat-file', '--batch', '-z']
  const { stdout } = await attemptGit({ gitDir, args, input, mostBytes: mostColouredBytes })
  let at = 0
  for (const { take } of wanted) {
    const end = stdout.indexOf('\n', at)
    const head = /^[0-9a-f]{40} blob (\d+)$/.exec(stdout.subarray(at, end).toString('latin1'))
    // Missing, which cannot be, or cut off: the rest stays without colours.
    if (end < 0 || !head || end + 1 + Number(head[1]) > stdout.length) return
    take(stdout.subarray(end + 1, end + 1 + Number(head[1])).toString('utf8'))
    at = end + 2 + Number(head[1])
  }
}
