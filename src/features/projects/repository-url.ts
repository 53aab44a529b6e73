import { DocentError } from '#base/errors.ts'
import type { Provider } from './schema.ts'

const publicHosts: Partial<Record<Provider, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
}

// `owner/name`; GitLab nests groups deeper.
const shortName = /^[\w.-]+(\/[\w.-]+)+$/

/**
 * The repository as one full URL, whichever way it was written: `acme/docs`, `https://github.com/acme/docs.git`.
 * Throws `invalid`, naming the field.
 */
export function parseRepositoryUrl(source: { provider: Provider; repository: string; apiUrl: string | null }): string {
  const { provider, repository, apiUrl } = source
  const expected = 'expected owner/name or the full http(s) URL of the repository'
  const written = repository.replace(/\.git\/?$/, '').replace(/\/+$/, '')
  if (shortName.test(written)) {
    const host = apiUrl ? new URL(apiUrl).origin : publicHosts[provider]
    if (!host) throw fault(`${expected}; ${provider} has no public host, so give the full URL or apiUrl`)
    return `${host}/${written}`
  }
  if (!URL.canParse(written)) throw fault(`${expected}, found ${JSON.stringify(repository)}`)
  const url = new URL(written)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw fault(`${expected}, found ${url.protocol}//`)
  if (url.username || url.password) throw fault('expected a URL without a user name or password; use token')
  if (!shortName.test(url.pathname.slice(1)) || url.search || url.hash) throw fault(expected)
  return url.href
}

function fault(message: string): DocentError {
  const details = [{ path: 'source.repository', message }]
  return new DocentError('invalid', 'request.invalid', `source.repository: ${message}.`, { details })
}
