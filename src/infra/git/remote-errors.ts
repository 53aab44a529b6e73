import { DocentError, type ErrorKind } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import type { Credential } from './remote.ts'

export interface RemoteFailure {
  action: 'fetch' | 'push'
  /** The address without a credential. */
  url: string
  credential: Credential | null
  stderr: string
}

const mostQuoted = 300

interface Translation {
  pattern: RegExp
  kind: ErrorKind
  code: string
  say: (failure: { url: string; action: string; word: string; status: string }) => string
}

// What git 2.38 to 2.50 say in English, most telling first. `word` is the first group of the pattern.
const translations: Translation[] = [
  {
    pattern: /returned error: (401)|Authentication failed|could not read (?:Username|Password)/i,
    kind: 'unauthenticated',
    code: 'git.credential_refused',
    say: ({ url }) => `${url} does not accept the access token, or wants one. Check that it has not expired.`,
  },
  {
    pattern: /returned error: (403)/,
    kind: 'forbidden',
    code: 'git.access_refused',
    say: ({ url, action }) => `${url} refuses to let this access token ${action}. Give it that permission.`,
  },
  {
    pattern: /repository '.*' not found|returned error: (404|410)|not valid: is this a git repository/i,
    kind: 'not_found',
    code: 'git.repository_not_found',
    say: ({ url }) => `There is no repository at ${url}, or this access token may not see it.`,
  },
  {
    pattern: /returned error: (30[12378])|unable to update url base from redirection/,
    kind: 'not_found',
    code: 'git.repository_moved',
    say: ({ url }) => `${url} sends git to another address. Set the project's repository to where it is now.`,
  },
  {
    pattern: /returned error: (429)/,
    kind: 'rate_limited',
    code: 'git.rate_limited',
    say: ({ url }) => `${url} has had too many requests from us.`,
  },
  {
    pattern: /(SSL certificate|certificate verification|certificate verify|self.signed|unable to get local issuer)/i,
    kind: 'unavailable',
    code: 'git.certificate_refused',
    say: ({ url }) => `The TLS certificate of ${url} is not one that this machine trusts.`,
  },
  {
    pattern: /(No space left on device|Disk quota exceeded)/,
    kind: 'unavailable',
    code: 'git.disk_full',
    say: () => 'There is no room left in the data folder.',
  },
  {
    pattern: /(Cannot allocate memory|out of memory|cannot fork|Too many open files|Resource temporarily unavailable)/i,
    kind: 'unavailable',
    code: 'git.machine_busy',
    say: () => 'This machine has too much to do to run git.',
  },
  {
    pattern: /couldn't find remote ref/i,
    kind: 'unavailable',
    code: 'git.remote_changed',
    say: ({ url }) => `A branch of ${url} went away at this moment.`,
  },
  {
    pattern: /mismatched algorithms|unsupported object format/i,
    kind: 'unsupported',
    code: 'git.format_unsupported',
    say: ({ url }) => `${url} is a SHA-256 repository; only SHA-1 ones are supported.`,
  },
  {
    // Trees that git itself cannot read, on either side.
    pattern: /(empty filename in tree entry|malformed mode in tree entry|too-short tree (?:object|file))/,
    kind: 'invalid',
    code: 'git.objects_refused',
    say: ({ url, word }) => `git refuses what is in ${url}: ${word}.`,
  },
  {
    pattern: /(?:fsck error in packed object|object [0-9a-f]{40}: )\s*(.*)/,
    kind: 'invalid',
    code: 'git.objects_refused',
    say: ({ url, word }) => `git refuses what is in ${url}: ${word}.`,
  },
  {
    pattern:
      /returned error: (5\d\d)|(?:Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|timed out|too slow|Empty reply|hung up|early EOF|unexpected disconnect|RPC failed|transfer closed|SSL|TLS|gnutls|Recv failure|Send failure|expected flush|bad line length|the remote end|Server aborted)/i,
    kind: 'unavailable',
    code: 'git.remote_unavailable',
    say: ({ url, status }) => `${url} does not answer as it should${status}.`,
  },
]

/** The error that git's words mean; null when they mean none that we know. */
export function translateRemoteFailure(failure: RemoteFailure): DocentError | null {
  const stderr = withoutCredential(failure.stderr, failure.credential)
  for (const { pattern, kind, code, say } of translations) {
    const match = pattern.exec(stderr)
    if (!match) continue
    const word = oneLine(match[1] ?? '', mostQuoted)
    const status = /^\d+$/.test(word) ? ` (HTTP ${word})` : ''
    const options = kind === 'rate_limited' || kind === 'unavailable' ? { retryAfterSeconds: 10 } : {}
    const message = say({ url: failure.url, action: failure.action, word, status }) + remoteWords(stderr)
    return new DocentError(kind, code, message, options)
  }
  return null
}

/** What the other side said to the person who reads it, in one short line. */
export function remoteWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote: '))
  const words = oneLine(lines.map((line) => line.slice('remote: '.length)).join(' '), mostQuoted)
  return words === '' ? '' : ` It says: ${words}`
}

/** A server may send back what it was sent. */
export function withoutCredential(text: string, credential: Credential | null): string {
  if (!credential) return text
  const { username, password } = credential
  const forms = [password, encodeURIComponent(password), basic(credential), Buffer.from(password).toString('base64')]
  const hidden = forms.filter((form) => form.length > 3).reduce((all, form) => all.replaceAll(form, '[hidden]'), text)
  return hidden.replaceAll(`${username}:[hidden]`, '[hidden]')
}

export function basic({ username, password }: Credential): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}
