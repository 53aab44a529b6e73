import { DocentError } from '#base/errors.ts'

/** The parts of a repository's full URL. */
export interface RepositoryAddress {
  origin: string
  /** The folder of the server that the host lies in: empty, or `/git`. */
  folder: string
  /** `acme/docs`; with nested groups `acme/web/docs`. */
  path: string
}

/**
 * The parts of the URL that a project is stored with. A host in a folder of its server is told by its API's address:
 * with `https://example.com/git/api/v1`, `https://example.com/git/acme/docs` is `acme/docs`.
 */
export function parseRepositoryAddress(repository: string, apiUrl: string | null): RepositoryAddress {
  const { origin, pathname } = new URL(repository)
  const api = apiUrl === null ? null : new URL(apiUrl)
  const folder = api?.origin === origin ? api.pathname.replace(/(\/api(\/v\d+)?)?\/*$/, '') : ''
  const isInFolder = folder !== '' && pathname.startsWith(`${folder}/`)
  return { origin, folder: isInFolder ? folder : '', path: pathname.slice(isInFolder ? folder.length + 1 : 1) }
}

/** The same for hosts on which a repository is always `owner/name`: whatever comes before is the folder. */
export function parseFlatAddress(repository: string): RepositoryAddress & { owner: string; name: string } {
  const { origin, pathname } = new URL(repository)
  const parts = pathname.split('/').slice(1)
  const [owner, name] = parts.slice(-2)
  if (!owner || !name) {
    throw new DocentError('invalid', 'host.repository_invalid', `Expected owner/name, found ${pathname}.`)
  }
  const folder = parts.slice(0, -2).map((part) => `/${part}`)
  return { origin, folder: folder.join(''), path: `${owner}/${name}`, owner, name }
}

/** What git fetches from. The origin stays the project's own, so that no answer of an API sends a credential elsewhere. */
export function gitUrlOf({ origin, folder }: RepositoryAddress, path: string): string {
  return `${origin}${folder}/${path.split('/').map(encodeURIComponent).join('/')}.git`
}

/** The API's address, whether or not it was given with its own path at the end. */
export function withApiPath(address: string, apiPath: string): string {
  const plain = address.replace(/\/+$/, '')
  const parts = apiPath.split('/').slice(1)
  // `/api/v4` may be there whole, in part, or not at all.
  for (let known = parts.length; known > 0; known--) {
    const start = parts.slice(0, known).map((part) => `/${part}`)
    if (plain.endsWith(start.join(''))) return [plain, ...parts.slice(known)].join('/')
  }
  return plain + apiPath
}
