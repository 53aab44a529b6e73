import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DocentError } from '#base/errors.ts'

const marker = 'docent-damaged'

/**
 * The error for an object that a repository should have. It leaves a note, for `fetch` sees only that the branches are
 * where they should be: the next fetch makes the mirror anew, and the job that tries again finds it whole.
 */
export async function objectMissing(gitDir: string, what: string): Promise<DocentError> {
  await writeFile(join(gitDir, marker), '').catch(() => {})
  return new DocentError('unavailable', 'git.object_missing', `The repository's copy here lacks the ${what}.`)
}

export async function isDamaged(gitDir: string): Promise<boolean> {
  return await access(join(gitDir, marker)).then(
    () => true,
    () => false,
  )
}
