import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// git holds a ref's lock for milliseconds; one this old belongs to a git that was killed.
const staleLockMs = 10_000
// Longer than any child of ours may run: what was not written to for so long is nobody's any more.
const staleFileMs = 4 * 60 * 60_000

/** Removes locks of refs that a killed git left: nobody else ever does, and the branch could not be moved again. */
export async function removeStaleLocks(gitDir: string): Promise<void> {
  const refs = await readdir(join(gitDir, 'refs'), { recursive: true }).catch(() => [])
  const locks = refs.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))
  for (const name of [...locks, 'packed-refs.lock', 'HEAD.lock', 'config.lock']) {
    await removeIfOlder(join(gitDir, name), staleLockMs)
  }
}

/** Removes packs and incoming objects that a killed git left half-written. */
export async function removeStaleFiles(gitDir: string): Promise<void> {
  for (const folder of ['objects', 'objects/pack']) {
    const names = await readdir(join(gitDir, folder)).catch(() => [])
    const left = names.filter((name) => /^(\.?tmp[_-]|incoming-)/.test(name))
    for (const name of left) await removeIfOlder(join(gitDir, folder, name), staleFileMs)
  }
}

async function removeIfOlder(path: string, ageMs: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found && Date.now() - found.mtimeMs > ageMs) await rm(path, { recursive: true, force: true })
}
