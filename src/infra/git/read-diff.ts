import { DocentError } from '#base/errors.ts'
import { mostFileBytes } from '../files/file-tree.ts'
import { attemptGit, type GitOutcome, gitFailed } from './run-git.ts'

export interface Diff {
  /** In the order of paths. */
  files: FileDiff[]
  /** Whether something is left out: whole files at the end, or hunks of those that say so themselves. */
  isCut: boolean
}

export interface FileDiff {
  status: 'added' | 'deleted' | 'modified' | 'renamed'
  path: string
  /** Another one than `path` only when it was renamed. */
  oldPath: string
  /** As git writes them; `000000` where there is no file. */
  oldMode: string
  newMode: string
  isBinary: boolean
  /** Lines, also of what was cut; null for binary files. */
  added: number | null
  deleted: number | null
  hunks: Hunk[]
  /** Whether hunks, or ends of lines, are left out. */
  isCut: boolean
}

export interface Hunk {
  oldStart: number
  newStart: number
  lines: DiffLine[]
}

export interface DiffLine {
  kind: 'context' | 'added' | 'deleted'
  oldNumber: number | null
  newNumber: number | null
  /** Without its end of line, but with a carriage return. */
  text: string
  /** The last line of a file that does not end in an end of line. */
  isUnfinished: boolean
}

export interface DiffLimits {
  mostFiles: number
  mostPatchBytes: number
  mostLineLength: number
}

// More than this nobody reads on a page, and no browser likes.
const defaultLimits: DiffLimits = { mostFiles: 1000, mostPatchBytes: 2_000_000, mostLineLength: 5_000 }

// Said in full, so that neither a config nor attributes nor a later git's defaults change what we parse.
const shape = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
  '--diff-algorithm=histogram',
  '--find-renames=50%',
  '-l200',
]

/** What changed between two commits, whatever the names and contents are. Throws `not_found` `git.commit_not_found`. */
export async function readDiff(
  gitDir: string,
  { from, to, limits = defaultLimits }: { from: string; to: string; limits?: DiffLimits },
): Promise<Diff> {
  const run = (mostBytes: number, ...options: string[]) => {
    // Larger ones are not compared: they are binary files to git.
    const args = ['-c', `core.bigFileThreshold=${mostFileBytes}`, 'diff-tree', '-r', ...shape, ...options]
    return attemptGit({ gitDir, args: [...args, from, to, '--'], mostBytes })
  }
  // Names come from the first, where NULs part them; in a patch they stand quoted, and only the order is needed.
  const [list, patch] = await Promise.all([
    run(50_000_000, '-z', '--raw', '--numstat'),
    run(limits.mostPatchBytes, '--patch', '--unified=3', '--src-prefix=a/', '--dst-prefix=b/', '--full-index'),
  ])
  for (const outcome of [list, patch]) if (outcome.code !== 0) throw failed(outcome)
  const files = parseList(list.stdout)
  const sections = parsePatch(patch.stdout, limits.mostLineLength)
  const kept = files.slice(0, limits.mostFiles)
  for (const [index, file] of kept.entries()) {
    const section = sections[index]
    // The last that was printed may have been cut anywhere.
    const isLast = index === sections.length - 1
    file.hunks = section?.hunks ?? []
    file.isCut = section === undefined || section.isCut || (patch.isCut && isLast)
  }
  return { files: kept, isCut: list.isCut || kept.length < files.length || kept.some(({ isCut }) => isCut) }
}

const statuses: Record<string, FileDiff['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

/** `:<mode> <mode> <id> <id> <status>\0<path>\0[<path>\0]` for each, then `<added>\t<deleted>\t<path>\0` for each. */
function parseList(printed: Buffer): FileDiff[] {
  const parts = printed.toString('utf8').split('\0')
  const files: FileDiff[] = []
  let at = 0
  while (parts[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', , , status = ''] = parts[at]!.slice(1).split(' ')
    const isRename = status.startsWith('R')
    const oldPath = parts[at + 1] ?? ''
    const path = isRename ? (parts[at + 2] ?? '') : oldPath
    const kind = statuses[status[0] ?? ''] ?? 'modified'
    const nothing = { isBinary: false, added: null, deleted: null, hunks: [], isCut: false }
    files.push({ status: kind, path, oldPath, oldMode, newMode, ...nothing })
    at += isRename ? 3 : 2
  }
  for (const file of files) {
    const [added = '', deleted = ''] = (parts[at] ?? '').split('\t')
    file.isBinary = added === '-'
    file.added = file.isBinary ? null : Number(added)
    file.deleted = file.isBinary ? null : Number(deleted)
    // A rename has its two names after it.
    at += file.status === 'renamed' ? 3 : 1
  }
  return files
}

interface Section {
  hunks: Hunk[]
  isCut: boolean
}

/** Hunks are read by the counts in their heads, so that no content can pass for the head of another. */
function parsePatch(printed: Buffer, mostLineLength: number): Section[] {
  const lines = printed.toString('utf8').split('\n')
  const sections: Section[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at++]!
    const section = sections.at(-1)
    if (line.startsWith('diff --git ')) sections.push({ hunks: [], isCut: false })
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!head || !section) continue
    const [oldStart, oldCount, newStart, newCount] = head.slice(1).map((text) => Number(text ?? 1)) as [
      number,
      number,
      number,
      number,
    ]
    const hunk: Hunk = { oldStart, newStart, lines: [] }
    section.hunks.push(hunk)
    let oldNumber = oldStart
    let newNumber = newStart
    while (at < lines.length && (oldNumber < oldStart + oldCount || newNumber < newStart + newCount)) {
      const text = lines[at++]!
      if (text.startsWith('\\')) {
        const last = hunk.lines.at(-1)
        if (last) last.isUnfinished = true
        continue
      }
      if (text.length > mostLineLength) section.isCut = true
      const body = { text: text.slice(1, mostLineLength), isUnfinished: false }
      if (text.startsWith('+')) {
        hunk.lines.push({ kind: 'added', oldNumber: null, newNumber: newNumber++, ...body })
      } else if (text.startsWith('-')) {
        hunk.lines.push({ kind: 'deleted', oldNumber: oldNumber++, newNumber: null, ...body })
      } else {
        hunk.lines.push({ kind: 'context', oldNumber: oldNumber++, newNumber: newNumber++, ...body })
      }
    }
    const last = hunk.lines.at(-1)
    if (last && lines[at]?.startsWith('\\')) last.isUnfinished = true
  }
  return sections
}

function failed({ code, stderr }: GitOutcome): DocentError {
  if (!/bad object|unknown revision|ambiguous argument|Not a valid object/.test(stderr)) {
    return gitFailed(['diff-tree'], code, stderr)
  }
  return new DocentError('not_found', 'git.commit_not_found', 'The repository has no such commit.')
}
