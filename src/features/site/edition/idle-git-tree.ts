import type { FileTree } from '#infra/files/file-tree.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import { type GitTree, openGitTree } from '#infra/files/git-tree.ts'

export interface IdleGitTreeOptions {
  gitDir: string
  commit: string
  root: string
  cache: GitCache
  /** How long the git that reads lives on after its last answer. */
  idleMs?: number
}

/** The files of a commit, for somebody who reads some of them now and then: no git runs while nothing is read. */
export async function openIdleGitTree({ cache, idleMs = 2_000, ...place }: IdleGitTreeOptions): Promise<FileTree> {
  const first = await openGitTree({ ...place, cache })
  const { entries } = first
  // The list stays with us, however much others list meanwhile.
  const own: GitCache = { objects: cache.objects, lists: { find: () => entries, keep() {} } }
  let opened: Promise<GitTree> | null = Promise.resolve(first)
  let reading = 0
  let timer: NodeJS.Timeout | undefined

  function rest(): void {
    clearTimeout(timer)
    if (reading === 0) timer = setTimeout(() => void close(), idleMs).unref()
  }

  async function close(): Promise<void> {
    clearTimeout(timer)
    const closing = opened
    opened = null
    const tree = await closing?.catch(() => null)
    await tree?.[Symbol.asyncDispose]()
  }

  rest()
  return {
    entries,
    async read(path) {
      if (!entries.has(path)) return null
      reading++
      clearTimeout(timer)
      opened ??= openGitTree({ ...place, cache: own })
      const used = opened
      try {
        return await (await used).read(path)
      } catch (error) {
        // A git that was lost is not asked again.
        if (opened === used) opened = null
        throw error
      } finally {
        reading--
        rest()
      }
    },
    [Symbol.asyncDispose]: close,
  }
}
