import type { HeadCommit } from '#infra/git/local-repository.ts'
import { runGit } from '#infra/git/run-git.ts'

const prefix = 'refs/heads/'

/** Where each branch of a bare repository is. */
export async function readAllHeads(gitDir: string): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', prefix]
  const lines = (await runGit({ gitDir, args })).toString('utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(41 + prefix.length), line.slice(0, 40)]))
}

/** Whether everything of a branch is in `base` already. */
export async function isHeadContained(
  gitDir: string,
  { head, base }: { head: HeadCommit; base: string },
): Promise<boolean> {
  if (head.id === base) return true
  // What stands on top of the base is not in it; most branches do, and git need not be asked.
  if (head.parents.includes(base)) return false
  return await isContained(gitDir, { commit: head.id, base })
}

/** Whether everything of `commit` is in `base` already. */
export async function isContained(
  gitDir: string,
  { commit, base }: { commit: string; base: string },
): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', commit, '--not', base, '--']
  return (await runGit({ gitDir, args })).length === 0
}
