import { DocentError } from '#base/errors.ts'
import type { Provider } from './schema.ts'

const publicHosts: Partial<Record<Provider, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
}

// The APIs of the public hosts have addresses of their own.
const publicApis: Record<string, string> = {
  'https://api.github.com': 'https://github.com',
  'https://api.bitbucket.org': 'https://bitbucket.org',
}

// One part of a path, and neither `.` nor `..`, which would lead out of it.
const part = '(?!\\.{1,2}(?:/|$))[\\w.-]+'
const ownerAndName = new RegExp(`^${part}/${part}$`)
// GitLab nests groups, and a host may lie below a folder of its server.
const nested = new RegExp(`^${part}(?:/${part})+$`)

/**
 * The repository as one full URL, whichever way it was written: `acme/docs`, `https://github.com/acme/docs.git`.
 * Throws `invalid`, naming the field.
 */
export function parseRepositoryUrl(source: { provider: Provider; repository: string; apiUrl: string | null }): string {
  const { provider, repository, apiUrl } = source
  const expected = 'expected owner/name or the full http(s) URL of the repository'
  const publicHost = publicHosts[provider]
  const written = withScheme(repository.replace(/\/+$/, '').replace(/\.git$/, ''), publicHost)
  if ((provider === 'gitlab' ? nested : ownerAndName).test(written)) {
    const host = apiUrl ? webAddressOf(apiUrl) : publicHost
    if (!host) throw fault(`${expected}; ${provider} has no public host, so give the full URL or apiUrl`)
    return `${host}/${written}`
  }
  if (!URL.canParse(written)) throw fault(`${expected}, found ${JSON.stringify(repository)}`)
  const url = new URL(written)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw fault(`${expected}, found ${url.protocol}//`)
  // A query or fragment is no part of it. `URL` also leaves out line breaks and spare slashes, and then takes what looked
  // like a folder for the host.
  if (!/^https?:\/\/[^/\\.\s][^\\\s?#]*$/i.test(written)) throw fault(expected)
  if (url.username || url.password) throw fault('expected a URL without a user name or password; use token')
  // On these two, what follows the name is a page about the repository, not the repository.
  const isFlat = url.origin === publicHosts.github || url.origin === publicHosts.bitbucket
  if (!(isFlat ? ownerAndName : nested).test(url.pathname.slice(1))) throw fault(expected)
  return url.href
}

/** `github.com/acme/docs`, as people copy it, is no short name. */
function withScheme(written: string, publicHost: string | undefined): string {
  return publicHost && written.startsWith(`${new URL(publicHost).host}/`) ? `https://${written}` : written
}

/** Where people find the host whose API this is: `https://git.example.com/api/v3` is of `https://git.example.com`. */
function webAddressOf(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl)
  return publicApis[origin] ?? origin + pathname.replace(/(\/api(\/v\d+)?)?\/*$/, '')
}

function fault(message: string): DocentError {
  const details = [{ path: 'source.repository', message }]
  return new DocentError('invalid', 'request.invalid', `source.repository: ${message}.`, { details })
}
