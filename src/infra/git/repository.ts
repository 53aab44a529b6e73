import { mkdir } from 'node:fs/promises'
import type { Author } from './commit-object.ts'
import { withRefLocks } from './ref-locks.ts'
import { attemptGit, gitFailed, runGit } from './run-git.ts'
import { writeCommit } from './write-commit.ts'

export interface TreeFile {
  /** Relative to the repository's root, with forward slashes. */
  path: string
  content: string | Buffer
}

export interface FirstCommit {
  branch: string
  files: TreeFile[]
  message: string
  author: Author
  date: Date
}

/** An empty bare repository, with no template: nothing but what git itself needs. */
export async function initBareRepository(gitDir: string, branch: string): Promise<void> {
  await mkdir(gitDir, { recursive: true })
  const args = ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`]
  // Two that make the same one at once lock each other out for a moment.
  const { code, stderr } = await withRefLocks(gitDir, () => attemptGit({ gitDir, args }))
  if (code !== 0) throw gitFailed(args, code, stderr)
}

/**
 * Writes one commit with exactly these files and points the branch at it. Returns its id. Throws `invalid` for a path
 * that git does not take.
 */
export async function writeFirstCommit(gitDir: string, { branch, files, ...commit }: FirstCommit): Promise<string> {
  const changes = files.map(({ path, content }) => ({ path, content: Buffer.from(content) }))
  const id = await writeCommit(gitDir, { ...commit, parent: null, root: '', changes })
  await runGit({ gitDir, args: ['update-ref', `refs/heads/${branch}`, id] })
  return id
}
