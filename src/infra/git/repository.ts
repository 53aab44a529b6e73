import { rm } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Writes one commit with exactly these files and points the branch at it, by plumbing alone. Returns its id. */
export async function writeFirstCommit(gitDir: string, commit: FirstCommit): Promise<string> {
  const { branch, files, message, author, date } = commit
  const index = join(gitDir, 'first-commit.index')
  const git = async (args: string[], input?: string | Buffer, env: Record<string, string> = {}) => {
    const run = { gitDir, args, env: { ...env, GIT_INDEX_FILE: index } }
    return (await runGit(input === undefined ? run : { ...run, input })).toString('utf8').trim()
  }
  const entries: string[] = []
  for (const { path, content } of files) {
    const blob = await git(['hash-object', '-w', '--stdin', '--no-filters'], content)
    entries.push(`100644 ${blob}\t${path}\0`)
  }
  await git(['update-index', '-z', '--index-info'], entries.join(''))
  const tree = await git(['write-tree'])
  const at = `${Math.floor(date.getTime() / 1000)} +0000`
  const id = await git(['commit-tree', tree], message, {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: at,
  })
  await git(['update-ref', `refs/heads/${branch}`, id])
  await rm(index, { force: true })
  return id
}
