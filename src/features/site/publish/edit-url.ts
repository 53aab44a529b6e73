import type { Provider } from '#features/projects/service.ts'

/** A file of a repository on a branch. */
export interface EditedFile {
  provider: Provider
  /** The repository's page. */
  repository: string
  branch: string
  /** From the repository's root. */
  path: string
}

type Pattern = (file: { repository: string; branch: string; path: string }) => string

const patterns: Record<Provider, Pattern | null> = {
  // It has no pages to edit files on.
  builtin: null,
  github: ({ repository, branch, path }) => `${repository}/edit/${branch}/${path}`,
  gitlab: ({ repository, branch, path }) => `${repository}/-/edit/${branch}/${path}`,
  gitea: ({ repository, branch, path }) => `${repository}/_edit/${branch}/${path}`,
  bitbucket: ({ repository, branch, path }) => `${repository}/src/${branch}/${path}?mode=edit&at=${branch}`,
}

/** Where the host lets people edit the file; null where it has no such page. */
export function editUrl({ provider, repository, branch, path }: EditedFile): string | null {
  const pattern = patterns[provider]
  return pattern ? pattern({ repository, branch: encodePath(branch), path: encodePath(path) }) : null
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
