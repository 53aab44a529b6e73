import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstCommit, initBareRepository, writeFirstCommit } from '#infra/git/repository.ts'

/** The code host inside Docent: one bare repository for each project, in the data folder. */
export interface BuiltinHost {
  /** Makes a project's repository with its first commit. Does nothing when the project has one already. */
  ensureRepository(projectId: string, first: FirstCommit): Promise<void>
  /** Deletes a project's repository. Does nothing when there is none. */
  deleteRepository(projectId: string): Promise<void>
  /** Ids of projects that have a repository not changed for at least this long. */
  listRepositories(options: { untouchedForMs: number }): Promise<string[]>
}

const suffix = '.git'

export function createBuiltinHost({ folder }: { folder: string }): BuiltinHost {
  const pathOf = (projectId: string) => join(folder, `${projectId}${suffix}`)
  return {
    async ensureRepository(projectId, first) {
      const path = pathOf(projectId)
      if (existsSync(path)) return
      // Made aside and moved in when whole, so that a kill in between leaves no half repository.
      const unfinished = `${path}.new`
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await initBareRepository(unfinished, first.branch)
      await writeFirstCommit(unfinished, first)
      await rename(unfinished, path)
    },
    async deleteRepository(projectId) {
      await rm(pathOf(projectId), { recursive: true, force: true })
    },
    async listRepositories({ untouchedForMs }) {
      if (!existsSync(folder)) return []
      const ids: string[] = []
      for (const name of await readdir(folder)) {
        const { mtimeMs } = await stat(join(folder, name))
        if (Date.now() - mtimeMs >= untouchedForMs) ids.push(name.replace(/\.git(\.new)?$/, ''))
      }
      return ids
    },
  }
}
