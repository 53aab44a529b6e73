import { execFileSync } from 'node:child_process'

/** A file of a commit that is made as git's own import makes it, which checks no name and no mode. */
export interface ImportedFile {
  path: string | Buffer
  content?: string | Buffer
  /** A commit's id for a submodule. */
  commit?: string
  mode?: '100644' | '100755' | '120000' | '160000'
}

/** git as anybody has it, to look at what ours made. */
export function plainGit(gitDir: string, args: string[], input?: string | Buffer): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  const options = { env, maxBuffer: 500_000_000, ...(input === undefined ? {} : { input }) }
  return execFileSync('git', ['--git-dir', gitDir, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    .toString('utf8')
    .trim()
}

/** Adds a commit to a branch, in one process however many files there are, and returns its id. */
export function importCommit(
  gitDir: string,
  branch: string,
  {
    files,
    deleted = [],
    message = 'a change\n',
    author = 'Ada <ada@example.com>',
    seconds = 1_900_000_000,
  }: {
    files: Iterable<ImportedFile>
    deleted?: string[]
    message?: string
    author?: string
    seconds?: number
  },
): string {
  const ref = `refs/heads/${branch}`
  const parent = plainGit(gitDir, ['for-each-ref', '--format=%(objectname)', ref])
  const parts: (string | Buffer)[] = [
    `commit ${ref}\nauthor ${author} ${seconds} +0000\ncommitter ${author} ${seconds} +0000\n`,
    ...data(message),
    parent === '' ? '' : `from ${parent}\n`,
    ...deleted.map((path) => `D ${quoted(path)}\n`),
  ]
  for (const { path, content = '', commit, mode = '100644' } of files) {
    if (commit !== undefined) parts.push(`M 160000 ${commit} `, quoted(path), '\n')
    else parts.push(`M ${mode} inline `, quoted(path), '\n', ...data(content))
  }
  plainGit(
    gitDir,
    ['-c', 'core.compression=1', 'fast-import', '--quiet'],
    Buffer.concat(parts.map((part) => Buffer.from(part))),
  )
  return plainGit(gitDir, ['rev-parse', ref])
}

function data(content: string | Buffer): (string | Buffer)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n']
}

function quoted(path: string | Buffer): string {
  if (typeof path === 'string' && /^[\w./-]+$/.test(path)) return path
  const bytes = [...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `"${bytes.join('')}"`
}
