import { openHttpRepository } from './http-repository.ts'
import { openLocalRepository } from './local-repository.ts'
import type { Remote, RemoteRepository } from './remote.ts'

export interface RemoteRepositoryOptions {
  remote: Remote
  /** Where the mirror is kept; made when it is missing. Several processes may share it. */
  mirrorDir: string
  signal?: AbortSignal | undefined
}

/** Opens a repository to work with. Nothing is fetched yet. */
export async function openRemoteRepository(options: RemoteRepositoryOptions): Promise<RemoteRepository> {
  const { remote, mirrorDir, signal } = options
  if (remote.kind === 'local') return openLocalRepository(remote.gitDir, signal)
  return await openHttpRepository({ url: remote.url, credential: remote.credential, mirrorDir, signal })
}
