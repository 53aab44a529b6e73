import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstCommit, initBareRepository, writeFirstCommit } from '#infra/git/repository.ts'

/** The code host inside Docent: one bare repository for each project, in the data folder. */
export interface BuiltinHost {
  /** Makes a project's repository with its first commit. Does nothing when the project has one already. */
  ensureRepository(projectId: string, first: FirstCommit): Promise<void>
  /** Deletes a project's repository, also one that was never finished. Does nothing when there is none. */
  deleteRepository(projectId: string): Promise<void>
  /** Ids of projects that have a repository, or half of one, that was not changed for at least this long. */
  listRepositories(options: { untouchedForMs: number }): Promise<string[]>
}

const suffix = '.git'
const unfinishedSuffix = '.git.new'

export function createBuiltinHost({ folder }: { folder: string }): BuiltinHost {
  const pathOf = (projectId: string) => join(folder, projectId + suffix)
  const unfinishedPathOf = (projectId: string) => join(folder, projectId + unfinishedSuffix)
  return {
    async ensureRepository(projectId, first) {
      const path = pathOf(projectId)
      if (existsSync(path)) return
      // Made aside and moved in when whole, so that a kill in between leaves no half repository.
      const unfinished = unfinishedPathOf(projectId)
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await initBareRepository(unfinished, first.branch)
      await writeFirstCommit(unfinished, first)
      await rename(unfinished, path)
    },
    async deleteRepository(projectId) {
      for (const path of [pathOf(projectId), unfinishedPathOf(projectId)]) {
        await rm(path, { recursive: true, force: true })
      }
    },
    async listRepositories({ untouchedForMs }) {
      if (!existsSync(folder)) return []
      const ids = new Set<string>()
      for (const name of await readdir(folder)) {
        const ending = [suffix, unfinishedSuffix].find((one) => name.endsWith(one))
        // Whatever else lies in the folder is not ours; what is gone by now was deleted meanwhile.
        const found = ending && (await stat(join(folder, name)).catch(() => null))
        if (found && Date.now() - found.mtimeMs >= untouchedForMs) ids.add(name.slice(0, -ending.length))
      }
      return [...ids]
    },
  }
}
