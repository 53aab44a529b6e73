import { DocentError } from '#base/errors.ts'
import { type CommitText, formatCommit } from './commit-object.ts'
import { mergeBase } from './read-history.ts'
import { attemptGit, gitFailed } from './run-git.ts'
import { objectId, writeObjects } from './write-objects.ts'

export interface Merge extends CommitText {
  /** The commit that is merged into. */
  base: string
  /** The commit that is merged. */
  head: string
}

export type MergeResult =
  | { kind: 'fast-forward' | 'merged'; commit: string }
  | { kind: 'conflict'; files: string[] }
  | { kind: 'up-to-date' }

/**
 * Merges without a working tree; no branch moves. The same input gives the same commit. Throws `not_found` for a commit
 * that is not there and `conflict` `git.unrelated_histories`.
 */
export async function mergeBranches(gitDir: string, merge: Merge): Promise<MergeResult> {
  const { base, head } = merge
  const common = await mergeBase(gitDir, base, head)
  if (common === head) return { kind: 'up-to-date' }
  if (common === base) return { kind: 'fast-forward', commit: head }
  if (common === null) {
    const message = 'The two branches have no commit in common; they cannot be merged here.'
    throw new DocentError('conflict', 'git.unrelated_histories', message)
  }
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', base, head]
  const { code, stdout, stderr } = await attemptGit({ gitDir, args })
  const [tree = '', ...files] = stdout.toString('utf8').split('\0').filter(Boolean)
  if (code === 1) return { kind: 'conflict', files: [...new Set(files)].sort() }
  if (code !== 0) throw gitFailed(args, code, stderr)
  const commit = formatCommit({ ...merge, tree, parents: [base, head] })
  const id = objectId(commit)
  await writeObjects(gitDir, new Map([[id, commit]]))
  return { kind: 'merged', commit: id }
}
