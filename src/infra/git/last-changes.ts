import { spawnGit } from './run-git.ts'

export interface LastChangesInput {
  gitDir: string
  commit: string
  /** A commit whose own history is left out. */
  since: string | null
  /** The folder that paths count from; empty: that of the repository. */
  root: string
  /** The files that are asked about, relative to the root. */
  paths: ReadonlySet<string>
  signal?: AbortSignal | undefined
  /** How long it may take; what is not known by then stays unknown. */
  timeoutMs?: number
}

const defaultTimeoutMs = 30_000
const mostLineBytes = 10_000

/**
 * When files last changed, in seconds since 1970, in one walk from the newest commit back that ends as soon as all are
 * known. Merges do not count: what they bring in has commits of its own. Files that are not found are not in it.
 */
export async function readLastChanges(input: LastChangesInput): Promise<Map<string, number>> {
  const { gitDir, commit, since, root, paths, signal, timeoutMs = defaultTimeoutMs } = input
  const found = new Map<string, number>()
  const range = since === null ? [commit] : [commit, `^${since}`]
  const where = root === '' ? [] : ['--', root]
  const options = ['--no-merges', '--no-renames', '--name-only', '-z', '--format=%x01%ct']
  const git = spawnGit({ gitDir, args: ['log', ...options, ...range, ...where], signal })
  const deadline = setTimeout(() => git.kill(), timeoutMs)
  const prefix = root === '' ? '' : `${root}/`
  let seconds = 0
  let rest = Buffer.alloc(0)
  git.stderr.resume()
  git.stdin.end()
  git.stdout.on('data', (chunk: Buffer) => {
    const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = joined.indexOf(0, from); end >= 0; end = joined.indexOf(0, from)) {
      take(joined.toString('utf8', from, end))
      from = end + 1
    }
    rest = Buffer.from(joined.subarray(from))
    if (rest.length > mostLineBytes || found.size === paths.size) git.kill()
  })
  await git.ended.finally(() => clearTimeout(deadline))
  signal?.throwIfAborted()
  return found

  /** `\x01<seconds>` before the files of a commit; the first file follows after a line end. */
  function take(record: string): void {
    const text = record.startsWith('\n') ? record.slice(1) : record
    if (text.startsWith('\x01')) {
      seconds = Number(text.slice(1).trim())
      return
    }
    const path = text.startsWith(prefix) ? text.slice(prefix.length) : null
    if (path !== null && paths.has(path) && !found.has(path) && Number.isSafeInteger(seconds)) found.set(path, seconds)
  }
}
