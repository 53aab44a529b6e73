import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DocentError } from '#base/errors.ts'
import { runGit } from './run-git.ts'

export interface TreeFile {
  /** Relative to the repository's root, with forward slashes. */
  path: string
  content: string | Buffer
}

export interface FirstCommit {
  branch: string
  files: TreeFile[]
  message: string
  author: { name: string; email: string }
  date: Date
}

/** An empty bare repository, with no template: nothing but what git itself needs. */
export async function initBareRepository(gitDir: string, branch: string): Promise<void> {
  await runGit({ gitDir, args: ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`] })
}

/**
 * Writes one commit with exactly these files and points the branch at it, by plumbing alone. Returns its id. Throws
 * `invalid` for a path that git does not take.
 */
export async function writeFirstCommit(gitDir: string, commit: FirstCommit): Promise<string> {
  const { branch, message, author, date } = commit
  const tree = await writeTree(gitDir, commit.files)
  const at = `${Math.floor(date.getTime() / 1000)} +0000`
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: at,
  }
  const id = firstLine(await runGit({ gitDir, args: ['commit-tree', tree], input: message, env }))
  await runGit({ gitDir, args: ['update-ref', `refs/heads/${branch}`, id] })
  return id
}

async function writeTree(gitDir: string, files: TreeFile[]): Promise<string> {
  const index = join(gitDir, 'first-commit.index')
  const env = { GIT_INDEX_FILE: index }
  // One that was left by a kill would add its files to ours.
  await rm(index, { force: true })
  try {
    const entries: string[] = []
    for (const { path, content } of files) {
      const args = ['hash-object', '-w', '--stdin', '--no-filters']
      const blob = firstLine(await runGit({ gitDir, args, input: content }))
      entries.push(`100644 ${blob}\t${path}\0`)
    }
    await runGit({ gitDir, args: ['update-index', '-z', '--index-info'], input: entries.join(''), env })
    // git passes over paths that it does not take, without a word in its exit code.
    const taken = new Set((await runGit({ gitDir, args: ['ls-files', '-z'], env })).toString('utf8').split('\0'))
    const refused = files.find(({ path }) => path === '' || !taken.has(path))
    if (refused) {
      const message = `git takes no file with the path ${JSON.stringify(refused.path)}.`
      throw new DocentError('invalid', 'git.path_refused', message)
    }
    return firstLine(await runGit({ gitDir, args: ['write-tree'], env }))
  } finally {
    await rm(index, { force: true })
  }
}

function firstLine(printed: Buffer): string {
  return printed.toString('utf8').split('\n')[0]!
}
