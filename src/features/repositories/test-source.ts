import { DocentError, toDocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import type { SourceTest } from './schema.ts'
import { openSource, type ProjectSource, type SourceDeps } from './service.ts'

// Somebody waits for it. What asks hosts for other work has more time, and asks again.
const timeoutMs = 30_000

/**
 * Whether a project's repository can be read with what is stored: by its host's API, which jobs open pull requests by,
 * and by git. Throws only where there is no such project.
 */
export async function testSource(
  deps: SourceDeps & { log: Log },
  { projectId, by }: { projectId: string; by: Caller },
): Promise<SourceTest> {
  await getProject(deps, { id: projectId, by })
  const source = await openSource(deps, projectId)
  const startedAt = performance.now()
  const result = (found: Pick<SourceTest, 'ok' | 'message'> & Partial<SourceTest>): SourceTest => {
    return { branch: null, commit: null, ...found, milliseconds: Math.round(performance.now() - startedAt) }
  }
  try {
    const { branch, commit } = await within(timeoutMs, (signal) => findBranch(source, signal))
    const message = `${source.repository} can be read, and its branch ${branch} is at ${commit.slice(0, 10)}.`
    return result({ ok: true, branch, commit, message })
  } catch (thrown) {
    const error = toDocentError(thrown)
    if (error.kind !== 'internal') return result({ ok: false, message: error.message })
    deps.log.warn({ projectId, err: thrown }, 'repositories.source_test_failed')
    const message = `Reading ${source.repository} failed in a way that is not known. The server’s log says more.`
    return result({ ok: false, message })
  }
}

async function findBranch(
  { host, ref, repository, mirrorDir }: ProjectSource,
  signal: AbortSignal,
): Promise<{ branch: string; commit: string }> {
  const { defaultBranch } = await host.getRepository()
  const branch = ref ?? defaultBranch
  const remote = await openRemoteRepository({ remote: await host.openRemote(), mirrorDir, signal })
  const commit = await remote.findHead(branch)
  if (commit !== null) return { branch, commit }
  const message = `${repository} can be read, but has no branch ${branch}. Push it, or choose another.`
  throw new DocentError('not_found', 'source.branch_not_found', message)
}

async function within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(milliseconds)
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      const message = `The repository’s host did not answer within ${milliseconds / 1000} s. Check its address.`
      reject(new DocentError('unavailable', 'source.timeout', message))
    })
  })
  return await Promise.race([work(signal), over])
}
