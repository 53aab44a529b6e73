import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeStaleFiles } from './leftovers.ts'
import { attemptGit } from './run-git.ts'

// git's own measure (gc.auto, gc.autoPackLimit): one of 256 folders stands for all.
const mostLooseInOne = 27
const mostPacks = 50
const timeoutMs = 10 * 60_000

/** Whether enough has piled up in the repository. Also removes what killed gits have left in it. */
export async function needsTidying(gitDir: string): Promise<boolean> {
  await removeStaleFiles(gitDir)
  const count = async (folder: string, ending: string) =>
    (await readdir(join(gitDir, 'objects', folder)).catch(() => [])).filter((name) => name.endsWith(ending)).length
  return (await count('17', '')) > mostLooseInOne || (await count('pack', '.pack')) > mostPacks
}

/** Packs what piled up, and drops what no branch has led to for so long. Others may read and write meanwhile. */
export async function tidyRepository(
  gitDir: string,
  { dropAfter, signal }: { dropAfter: '2.days.ago' | 'never'; signal?: AbortSignal | undefined },
): Promise<void> {
  // It fails when another process does it already; that one is enough.
  await attemptGit({ gitDir, args: ['gc', '--quiet', '--cruft', `--prune=${dropAfter}`], timeoutMs, signal })
}
