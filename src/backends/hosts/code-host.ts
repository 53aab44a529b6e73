import type { Remote } from '#infra/git/remote.ts'

/** One repository on one code host, as an agent job needs it. Each method may be repeated at any time. */
export interface CodeHost {
  readonly supports: {
    /** Whether a pull request can be opened as a draft. */
    draftPullRequests: boolean
  }
  /**
   * Where the repository is now (hosts follow renames) and what its default branch is. Errors, here and below:
   * `not_found` `host.repository_not_found`; `unauthenticated` `host.token_refused` (expired, revoked, missing);
   * `forbidden` `host.permission_missing` (the message names the permission); `rate_limited` and `unavailable` with
   * `retryAfterSeconds` where the host says so.
   */
  getRepository(): Promise<HostRepository>
  /** What git fetches from and pushes to, with a credential that is good for at least some minutes. */
  openRemote(): Promise<Remote>
  /** The newest pull request from this branch into that base, an open one before any other; null when there is none. */
  findPullRequest(options: { branch: string; base: string }): Promise<PullRequest | null>
  /** Throws `not_found` `host.pull_request_not_found`. */
  getPullRequest(number: number): Promise<PullRequest>
  /**
   * Opens a pull request. `draft` is ignored where it is not supported. Throws `conflict` `host.pull_request_exists`
   * when the branch has an open one into that base: find it then; and `invalid` when a branch is missing, on most hosts
   * also when it has nothing new. After `unavailable` it may exist all the same: find before the next try. A host that
   * cannot tell may hand back one that was opened in the same moment; there is never a second.
   */
  createPullRequest(options: NewPullRequest): Promise<PullRequest>
  /** Changes title and body of an open pull request; whether it is a draft stays. Throws as `getPullRequest` does. */
  updatePullRequest(number: number, change: { title: string; body: string }): Promise<PullRequest>
}

export interface HostRepository {
  /** Address of the repository's page. */
  webUrl: string
  defaultBranch: string
}

export interface NewPullRequest {
  branch: string
  base: string
  /** One line of at most 200 characters. */
  title: string
  /** Markdown, at most 60,000 characters. */
  body: string
  draft: boolean
}

export interface PullRequest {
  number: number
  /** Address of its page. */
  url: string
  state: 'open' | 'merged' | 'closed'
  branch: string
  base: string
  /** As people mean it, without the `Draft: ` of hosts that tell drafts so. */
  title: string
}

/** What a host is opened with. */
export interface HostInput {
  projectId: string
  /** Full URL of the repository; for the built-in host the one that it serves. */
  repository: string
  /** API address of a self-managed host; null: the vendor's own. */
  apiUrl: string | null
  token: string | null
}
