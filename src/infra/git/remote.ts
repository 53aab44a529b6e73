/** What git over HTTP signs in with. It reaches one child's environment and nothing else. */
export interface Credential {
  username: string
  password: string
}

/** Where a project's repository is: in our own data folder, or somewhere that speaks git over HTTP. */
export type Remote = { kind: 'local'; gitDir: string } | { kind: 'http'; url: string; credential: Credential | null }

/**
 * A repository that we read from and push to, with its objects on this machine. The local kind is that repository
 * itself; the other is a bare mirror in the data folder that `fetch` brings up to date.
 */
export interface RemoteRepository {
  /** Where the objects are; after `fetch`, all of the asked branches. */
  gitDir: string
  /**
   * Brings what is new of these branches; null means the default branch. Those that do not exist are left out of
   * `heads`. Safe when several do it at once. Errors: see `push`, and `not_found` `git.repository_not_found`.
   */
  fetch(options: { branches: (string | null)[] }): Promise<{ defaultBranch: string; heads: Map<string, string> }>
  /**
   * Points the branch at the commit if it still is where we believe it is (`expected`; null: it does not exist).
   * Does nothing when it points there already. Errors: `conflict` `git.branch_moved`, `forbidden` `git.push_refused`
   * (protected branch, missing permission), `unauthenticated` `git.credential_refused`, `unavailable`.
   */
  push(options: { branch: string; commit: string; expected: string | null }): Promise<void>
  /** Where the branch points at this moment, asked of the remote; null when it does not exist. */
  findHead(branch: string): Promise<string | null>
}
