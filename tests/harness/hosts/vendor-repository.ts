import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCommit, plainGit } from '../git-history.ts'

/** A pull request as a vendor's server keeps it. */
export interface StoredPullRequest {
  number: number
  title: string
  body: string
  draft: boolean
  state: 'open' | 'merged' | 'closed'
  branch: string
  base: string
  isFromFork: boolean
  createdAt: string
  reviewers: string[]
}

/** The repository behind a vendor's server: a real bare one, and its pull requests. */
export interface VendorRepository extends AsyncDisposable {
  /** Folder that holds it as `repository.git`. */
  folder: string
  gitDir: string
  defaultBranch: string
  pullRequests: StoredPullRequest[]
  findHead(branch: string): Promise<string | null>
  /** Makes the branch, from the default branch and with a commit of its own, or puts a further commit on it. */
  commitTo(branch: string, files?: Record<string, string>): Promise<void>
  deleteBranch(branch: string): Promise<void>
  merge(number: number): Promise<void>
  close(number: number): void
  get(number: number): StoredPullRequest
  addPullRequest(
    pull: Pick<StoredPullRequest, 'title' | 'branch' | 'base'> & Partial<StoredPullRequest>,
  ): StoredPullRequest
}

const identity = ['-c', 'user.name=Ann Reader', '-c', 'user.email=ann@example.com']

/** Pushes to the protected branch are refused with these words, as each vendor has its own. */
export async function createVendorRepository(options: {
  defaultBranch: string
  protectedWords: string
}): Promise<VendorRepository> {
  const { defaultBranch, protectedWords } = options
  const folder = await mkdtemp(join(tmpdir(), 'docent-vendor-'))
  const gitDir = join(folder, 'repository.git')
  // What `git init` would make; tests make very many of them.
  for (const part of ['objects', 'refs/heads', 'hooks']) await mkdir(join(gitDir, part), { recursive: true })
  await writeFile(join(gitDir, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`)
  const config = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[http]\n\treceivepack = true\n'
  await writeFile(join(gitDir, 'config'), config)
  const refuse = `case "$1" in refs/heads/${defaultBranch}) echo "${protectedWords}" >&2; exit 1;; esac`
  await writeFile(join(gitDir, 'hooks', 'update'), `#!/bin/sh\n${refuse}\n`, { mode: 0o755 })

  const pullRequests: StoredPullRequest[] = []
  let commits = 0
  // Nothing packs the branches of so small a repository.
  const findHead = (branch: string) =>
    readFile(join(gitDir, 'refs/heads', branch), 'utf8').then(
      (text) => text.trim(),
      () => null,
    )

  async function commitTo(branch: string, files?: Record<string, string>): Promise<void> {
    const start = (await findHead(branch)) === null ? await findHead(defaultBranch) : null
    if (start !== null) plainGit(gitDir, ['update-ref', `refs/heads/${branch}`, start])
    commits += 1
    const changed = Object.entries(files ?? { [`pages/${commits}.md`]: `# Page ${commits}\n` })
    importCommit(gitDir, branch, {
      files: changed.map(([path, content]) => ({ path, content })),
      seconds: 1_700_000_000 + commits,
    })
  }

  function get(number: number): StoredPullRequest {
    const found = pullRequests.find((pull) => pull.number === number)
    if (!found) throw new Error(`There is no pull request ${number}.`)
    return found
  }

  await commitTo(defaultBranch)
  return {
    folder,
    gitDir,
    defaultBranch,
    pullRequests,
    findHead,
    commitTo,
    get,
    async deleteBranch(branch) {
      plainGit(gitDir, ['update-ref', '-d', `refs/heads/${branch}`])
    },
    async merge(number) {
      const pull = get(number)
      const heads = [(await findHead(pull.base))!, (await findHead(pull.branch))!]
      const tree = plainGit(gitDir, ['merge-tree', '--write-tree', ...heads])
      const parents = heads.flatMap((head) => ['-p', head])
      const commit = plainGit(gitDir, [...identity, 'commit-tree', ...parents, '-m', `Merge ${pull.number}`, tree])
      plainGit(gitDir, ['update-ref', `refs/heads/${pull.base}`, commit])
      pull.state = 'merged'
    },
    close(number) {
      get(number).state = 'closed'
    },
    addPullRequest(given) {
      const number = pullRequests.length + 1
      const createdAt = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
      const usual = { body: '', draft: false, state: 'open', isFromFork: false, reviewers: [] } as const
      const pull: StoredPullRequest = { ...usual, reviewers: [], number, createdAt, ...given }
      pullRequests.push(pull)
      return pull
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
