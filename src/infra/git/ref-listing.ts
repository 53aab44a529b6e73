import { isBranchName } from './name-rules.ts'

/** What `git ls-remote --symref` says of another repository. */
export interface RefListing {
  /** Null when the other side does not say, or has no commit. */
  defaultBranch: string | null
  headCommit: string | null
  heads: Map<string, string>
}

export function parseRefListing(printed: string): RefListing {
  const listing: RefListing = { defaultBranch: null, headCommit: null, heads: new Map() }
  for (const line of printed.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    const branch = name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : null
    if (name === 'HEAD' && isCommitId(value)) listing.headCommit = value
    else if (name === 'HEAD') listing.defaultBranch = parseSymref(value)
    else if (branch !== null && isBranchName(branch) && isCommitId(value)) listing.heads.set(branch, value)
  }
  return listing
}

function parseSymref(value: string): string | null {
  const branch = /^ref: refs\/heads\/(.*)$/.exec(value)?.[1]
  return branch !== undefined && isBranchName(branch) ? branch : null
}

function isCommitId(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text)
}
