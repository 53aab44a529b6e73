import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DocentError } from '#base/errors.ts'
import { withRefLocks } from './ref-locks.ts'
import type { RemoteRepository } from './remote.ts'
import { attemptGit, gitFailed, runGit } from './run-git.ts'
import { needsTidying, tidyRepository } from './tidy.ts'

const noCommit = '0'.repeat(40)

/** A bare repository of our own, which needs no mirror: its branches are read and moved where they are. */
export function openLocalRepository(gitDir: string, signal?: AbortSignal): RemoteRepository {
  return {
    gitDir,
    async fetch({ branches }) {
      const defaultBranch = await readDefaultBranch(gitDir, signal)
      const names = branches.map((branch) => branch ?? defaultBranch)
      // Old commits stay: pull requests show them long after their branches are gone.
      if (await needsTidying(gitDir)) await tidyRepository(gitDir, { dropAfter: 'never', signal })
      return { defaultBranch, heads: await readHeads(gitDir, names, signal) }
    },
    async push({ branch, commit, expected }) {
      const args = ['update-ref', '--no-deref', `refs/heads/${branch}`, commit, expected ?? noCommit]
      const { code, stderr } = await withRefLocks(gitDir, () => attemptGit({ gitDir, args, signal }))
      if (code === 0) return
      const found = (await readHeads(gitDir, [branch], signal)).get(branch) ?? null
      if (found === commit) return
      if (found !== expected) throw branchMoved(branch)
      if (/exists; cannot create|cannot process|non-commit object|refusing to update/.test(stderr)) {
        throw new DocentError('forbidden', 'git.push_refused', `git refuses the branch ${branch}: ${stderr.trim()}`)
      }
      throw gitFailed(args, code, stderr)
    },
    async findHead(branch) {
      return (await readHeads(gitDir, [branch], signal)).get(branch) ?? null
    },
  }
}

async function readDefaultBranch(gitDir: string, signal?: AbortSignal): Promise<string> {
  // As git writes it itself: a process for this one line costs more than all else that a fetch does.
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')
  const written = /^ref: refs\/heads\/(\S+)\n$/.exec(head)?.[1]
  if (written !== undefined) return written
  const { code, stdout } = await attemptGit({ gitDir, args: ['symbolic-ref', '-q', 'HEAD'], signal })
  if (code === 0) return stdout.toString('utf8').trim().slice('refs/heads/'.length)
  throw new DocentError('not_found', 'git.repository_not_found', `There is no repository in ${gitDir}.`)
}

/** Where these branches point. */
export async function readHeads(
  gitDir: string,
  branches: string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const heads = await readHeadCommits(gitDir, branches, signal)
  return new Map(heads.entries().map(([branch, { id }]) => [branch, id]))
}

export interface HeadCommit {
  id: string
  parents: string[]
}

/** The commits of these branches. Each is read, so that one that is lost is not taken for a good one. */
export async function readHeadCommits(
  gitDir: string,
  branches: string[],
  signal?: AbortSignal,
): Promise<Map<string, HeadCommit>> {
  if (branches.length === 0) return new Map()
  const refs = branches.map((branch) => `refs/heads/${branch}`)
  const args = ['for-each-ref', '--format=%(objectname) %(refname) %(tree) %(parent)', ...refs]
  const lines = (await runGit({ gitDir, args, signal })).toString('utf8').split('\n').filter(Boolean)
  const heads = lines.map((line): [string, HeadCommit] => {
    const [id, ref, , ...parents] = line.trimEnd().split(' ')
    return [ref!.slice('refs/heads/'.length), { id: id!, parents }]
  })
  // A branch `a` is asked for and `a/b` is answered too.
  return new Map(heads.filter(([branch]) => branches.includes(branch)))
}

export function branchMoved(branch: string): DocentError {
  const message = `The branch ${branch} is no longer where it was; somebody else has pushed to it.`
  return new DocentError('conflict', 'git.branch_moved', message)
}
