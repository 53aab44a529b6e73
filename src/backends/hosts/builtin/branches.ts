import { runGit } from '#infra/git/run-git.ts'

const prefix = 'refs/heads/'

/** Where each branch of a bare repository is. */
export async function readAllHeads(gitDir: string): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', prefix]
  const lines = (await runGit({ gitDir, args })).toString('utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(41 + prefix.length), line.slice(0, 40)]))
}

/** Whether everything of `commit` is in `base` already. */
export async function isContained(
  gitDir: string,
  { commit, base }: { commit: string; base: string },
): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', commit, '--not', base, '--']
  return (await runGit({ gitDir, args })).length === 0
}
