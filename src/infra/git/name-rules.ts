// A file name has at most 255 bytes; git keeps a branch as a file, and while it writes one, with `.lock` at the end.
const mostNameBytes = 255
const mostRefBytes = mostNameBytes - '.lock'.length

/** git's own rules for a branch (git check-ref-format), without asking git; and no `@`, which means HEAD to it. */
export function isBranchName(name: string): boolean {
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|^[-/]|\/$/u.test(name) || name === '@' || name === 'HEAD') return false
  return name
    .split('/')
    .every(
      (part) =>
        part !== '' && !part.startsWith('.') && !part.endsWith('.lock') && Buffer.byteLength(part) <= mostRefBytes,
    )
}

// Nearly all are so, and a large repository has tens of thousands: no name of it begins with a dot or has a tilde.
const plainPath = /^[\w-][\w.-]{0,200}(?:\/[\w-][\w.-]{0,200})*$/

/** A path that stays inside the repository, outside git's own folder, and can be shown in one line. */
export function isInnerPath(path: string): boolean {
  if (path === '' || plainPath.test(path)) return true
  return !/[\p{Cc}\\]/u.test(path) && path.split('/').every((part) => isWritableName(part) && !isGitFile(part))
}

/** A path that git takes for a file on every system, whatever it looks like. */
export function isWritablePath(path: string): boolean {
  return !/[\0\\]/.test(path) && path.split('/').every(isWritableName)
}

function isWritableName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) return false
  return Buffer.byteLength(name) <= mostNameBytes && !isGitFolder(name)
}

/**
 * Names that some file system takes for git's folder: in capitals, with dots or spaces after it, as a short name, as a
 * stream, with characters that nobody sees. git would refuse to fetch a repository that has such a folder.
 */
function isGitFolder(name: string): boolean {
  return /^(\.git|git~\d+)[ .]*(:.*)?$/is.test(visible(name))
}

/** The same for the files that git reads its settings from. */
function isGitFile(name: string): boolean {
  return /^(\.git(modules|attributes)|gi[t7][^~]*~\d+)[ .]*(:.*)?$/is.test(visible(name))
}

function visible(name: string): string {
  return /[^\x20-\x7e]/.test(name) ? name.replace(/\p{Cf}/gu, '') : name
}
