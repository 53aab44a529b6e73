import { DocentError } from '#base/errors.ts'
import { attemptGit, gitFailed, runGit } from './run-git.ts'

export interface CommitSummary {
  id: string
  subject: string
  authorName: string
  date: Date
}

const latestTime = 8.64e15

/** The newest commit that both have; null when they have none in common. */
export async function mergeBase(gitDir: string, a: string, b: string): Promise<string | null> {
  const args = ['merge-base', a, b]
  const { code, stdout, stderr } = await attemptGit({ gitDir, args })
  if (code === 0) return stdout.toString('utf8').trim()
  if (code === 1 && stderr === '') return null
  throw missingOr(args, code, stderr)
}

/** The commits that `to` has and `from` lacks, oldest first; the newest of them when there are more than `most`. */
export async function listCommits(
  gitDir: string,
  { from, to, most = 250 }: { from: string; to: string; most?: number },
): Promise<CommitSummary[]> {
  const format = '--format=%H%x00%an%x00%at%x00%s'
  const range = [`--max-count=${most}`, '--topo-order', '--reverse', to, `^${from}`]
  const args = ['rev-list', '--no-commit-header', '--encoding=UTF-8', format, ...range]
  const lines = (await runGit({ gitDir, args })).toString('utf8').split('\n')
  return lines.filter(Boolean).map((line) => {
    const [id = '', authorName = '', seconds = '', subject = ''] = line.split('\0')
    // A commit may claim any time, also one that no date can have.
    const time = Number(seconds) * 1000
    return { id, subject, authorName, date: new Date(Math.abs(time) <= latestTime ? time : 0) }
  })
}

function missingOr(args: string[], code: number, stderr: string): DocentError {
  if (!/Not a valid (commit|object) name/.test(stderr)) return gitFailed(args, code, stderr)
  return new DocentError('not_found', 'git.commit_not_found', 'The repository has no such commit.')
}
