import { resolve } from 'node:path'
import { DocentError } from '#base/errors.ts'
import { isDamaged, objectMissing } from './damage.ts'
import { inTurn } from './in-turn.ts'
import { branchMoved, readHeads } from './local-repository.ts'
import { ensureMirror, renewMirror, tidyMirror } from './mirror.ts'
import { parseRefListing, type RefListing } from './ref-listing.ts'
import { withRefLocks } from './ref-locks.ts'
import type { Credential, RemoteRepository } from './remote.ts'
import { basic, remoteWords, translateRemoteFailure, withoutCredential } from './remote-errors.ts'
import { attemptGit, type GitOutcome, gitFailed } from './run-git.ts'
import { needsTidying } from './tidy.ts'

const transferTimeoutMs = 15 * 60_000
// Some 500,000 branches.
const mostListBytes = 50_000_000

// Faults that old programs have left in good repositories and that nothing of ours stumbles over. Any other, such as a
// folder that passes for git's own, is refused.
const forgiven = [
  'badTimezone',
  'badDateOverflow',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingEmail',
  'missingNameBeforeEmail',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
  'badFilemode',
].flatMap((fault) => ['-c', `fetch.fsck.${fault}=ignore`])

const httpConfig = [
  // A redirect would take the credential to another host; code hosts tell by their API where a repository went.
  'http.followRedirects=false',
  // A connection that stalls ends, also when nobody is left to end it; a server that counts its objects says little.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=300',
  'credential.helper=',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
].flatMap((entry) => ['-c', entry])

// What a push says when the mirror was made anew, or damaged, after the commit was written to it.
const damageWords =
  /does not match any|bad object|(?:unable to|Could not) read [0-9a-f]{40}|missing (?:blob|tree|commit)|corrupt/

/** A repository on another machine, with a mirror of the branches that were asked for. */
export async function openHttpRepository(options: {
  url: string
  credential: Credential | null
  mirrorDir: string
  signal?: AbortSignal | undefined
}): Promise<RemoteRepository> {
  const { credential, signal } = options
  const mirrorDir = resolve(options.mirrorDir)
  const address = parseAddress(options.url)
  await ensureMirror(mirrorDir)

  async function attempt(args: string[], gitDir?: string): Promise<GitOutcome> {
    return await attemptGit({
      ...(gitDir === undefined ? {} : { gitDir }),
      args: [...httpConfig, ...args],
      protocols: [address.protocol],
      env: credentialVariables(address.origin, credential),
      timeoutMs: transferTimeoutMs,
      mostBytes: mostListBytes,
      signal,
    })
  }

  function failed(action: 'fetch' | 'push', { code, stderr }: GitOutcome): DocentError {
    // git has no words for a helper that was killed.
    if (stderr.trim() === '') return new DocentError('unavailable', 'git.stopped', `git ${action} was stopped.`)
    const failure = { action, url: address.shown, credential, stderr }
    return translateRemoteFailure(failure) ?? gitFailed([action], code, withoutCredential(stderr, credential))
  }

  async function list(patterns: string[]): Promise<RefListing> {
    const outcome = await attempt(['ls-remote', '--symref', '--', address.url, ...patterns])
    if (outcome.code !== 0) throw failed('fetch', outcome)
    return parseRefListing(outcome.stdout.toString('utf8'))
  }

  /** The default branch and where the branches point now, as the other side says. */
  async function listBranches(branches: (string | null)[]) {
    const named = branches.filter((branch) => branch !== null)
    const listing = await list(['HEAD', ...named.map((branch) => `refs/heads/${branch}`)])
    const defaultBranch = listing.defaultBranch ?? (await guessDefaultBranch(listing.headCommit))
    const heads = new Map<string, string>()
    for (const branch of branches) {
      const isDefault = branch === null || branch === defaultBranch
      const commit = listing.heads.get(branch ?? defaultBranch) ?? (isDefault ? listing.headCommit : null)
      if (commit) heads.set(branch ?? defaultBranch, commit)
    }
    return { defaultBranch, heads }
  }

  /** For a HEAD that is no branch, and for servers that do not tell which one it is. */
  async function guessDefaultBranch(headCommit: string | null): Promise<string> {
    const { heads } = await list(['refs/heads/*'])
    const same = [...heads].filter(([, commit]) => commit === headCommit).map(([branch]) => branch)
    const guess = ['main', 'master'].find((branch) => same.includes(branch)) ?? same[0]
    if (guess !== undefined) return guess
    const what = heads.size === 0 ? 'no commit yet; push one first' : 'no default branch; choose one there'
    throw new DocentError('conflict', 'git.repository_empty', `${address.shown} has ${what}.`)
  }

  /** Brings the branches into the mirror. Only one at a time, as two would bring the same twice. */
  async function bring(branches: string[]): Promise<Map<string, string>> {
    const refspecs = branches.map((branch) => `+refs/heads/${branch}:refs/heads/${branch}`)
    const args = [...forgiven, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-gc', '--']
    const outcome = await withRefLocks(mirrorDir, () => attempt([...args, address.url, ...refspecs], mirrorDir))
    if (outcome.code !== 0) throw failed('fetch', outcome)
    return await readHeads(mirrorDir, branches, signal)
  }

  return {
    gitDir: mirrorDir,

    async fetch({ branches }) {
      const { defaultBranch, heads } = await listBranches(branches)
      const names = [...heads.keys()]
      const isHere = async () => {
        if (await isDamaged(mirrorDir)) return false
        const found = await readHeads(mirrorDir, names, signal).catch(() => null)
        return names.every((name) => found?.get(name) === heads.get(name))
      }
      if (await isHere()) return { defaultBranch, heads }
      return await inTurn({ mirrorDir, signal }, async () => {
        if (await isHere()) return { defaultBranch, heads }
        if (await isDamaged(mirrorDir)) await renewMirror(mirrorDir)
        if (await needsTidying(mirrorDir)) await tidyMirror(mirrorDir, { wanted: names, signal })
        const brought = await bring(names).catch(async (error) => {
          if (!isUnknown(error)) throw error
          // What git cannot explain is a mirror that was damaged.
          await renewMirror(mirrorDir)
          return await bring(names)
        })
        return { defaultBranch, heads: brought }
      })
    },

    async push({ branch, commit, expected }) {
      const ref = `refs/heads/${branch}`
      const lease = `--force-with-lease=${ref}:${expected ?? ''}`
      const args = ['push', '--porcelain', '--no-verify', '--no-follow-tags', lease, '--', address.url]
      const outcome = await attempt([...args, `${commit}:${ref}`], mirrorDir)
      if (outcome.code !== 0) {
        const found = parseRejection(outcome.stdout.toString('utf8'))
        if (found === null) {
          if (damageWords.test(outcome.stderr)) throw await objectMissing(mirrorDir, `commit ${commit}`)
          throw asRefusal(failed('push', outcome), branch)
        }
        // A push whose answer was lost, and which is repeated.
        const head = (await list([ref])).heads.get(branch) ?? null
        if (head !== commit) {
          if (head !== expected || /stale info|fetch first|non-fast-forward/.test(found)) throw branchMoved(branch)
          const words = withoutCredential(`${found}${remoteWords(outcome.stderr)}`, credential)
          const message = `${address.shown} refuses the branch ${branch}: ${words}`
          if (isTheirTrouble(found, outcome.stderr)) {
            throw new DocentError('unavailable', 'git.remote_unavailable', message, { retryAfterSeconds: 10 })
          }
          throw new DocentError('forbidden', 'git.push_refused', message)
        }
      }
      // So that a later fetch finds it here, and tidying up leaves it.
      await attemptGit({ gitDir: mirrorDir, args: ['update-ref', ref, commit], signal }).catch(() => {})
    },

    async findHead(branch) {
      return (await list([`refs/heads/${branch}`])).heads.get(branch) ?? null
    },
  }
}

function parseAddress(url: string): { url: string; shown: string; origin: string; protocol: 'http' | 'https' } {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new DocentError('invalid', 'git.address_unsupported', 'Expected the http or https address of a repository.')
  }
  // Whoever wants to sign in does it by `credential`.
  parsed.username = ''
  parsed.password = ''
  const protocol = parsed.protocol === 'http:' ? 'http' : 'https'
  return { url: parsed.href, shown: parsed.href, origin: parsed.origin, protocol }
}

/** Only the environment of one child: arguments, files and addresses can be seen by others. */
function credentialVariables(origin: string, credential: Credential | null): Record<string, string> {
  if (!credential) return {}
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic(credential)}`,
  }
}

/** Why the branch was not moved, of `!\t<from>:<to>\t[remote rejected] (<why>)`; null when it did not come so far. */
function parseRejection(porcelain: string): string | null {
  return /^!\t.*\[(?:remote )?rejected\] \((.*)\)/m.exec(porcelain)?.[1] ?? null
}

/** Its own locks, or its disk: nothing that we did. */
function isTheirTrouble(found: string, stderr: string): boolean {
  if (/hook|protected/i.test(found) || /exists; cannot create/.test(stderr)) return false
  return /lock|unpacker|failed to update ref/i.test(found)
}

function asRefusal(error: DocentError, branch: string): DocentError {
  if (error.code !== 'git.access_refused') return error
  return new DocentError('forbidden', 'git.push_refused', `The branch ${branch} cannot be pushed: ${error.message}`)
}

function isUnknown(error: unknown): boolean {
  return error instanceof DocentError && error.code === 'git.failed'
}
