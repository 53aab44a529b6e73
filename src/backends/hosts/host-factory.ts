import type { CodeHost, HostInput } from './code-host.ts'
import type { RequestDeps } from './host-request.ts'

/** What the host of a vendor is made with, besides the project's own settings. */
export interface HostDeps extends RequestDeps {
  /** Signs in to GitHub for projects that have no token. */
  githubApp?: { appId: string; privateKey: string } | null
}

/** Opens one repository on one host. Asks nothing of the host yet; throws `invalid` for an address it cannot use. */
export type HostFactory = (input: HostInput, deps: HostDeps) => CodeHost
