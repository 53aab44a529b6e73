import type { NewObject } from './write-objects.ts'

export interface Author {
  name: string
  email: string
}

export interface CommitText {
  message: string
  author: Author
  date: Date
}

/** A commit by one person at one time, so that the same input always gives the same id. */
export function formatCommit({
  message,
  author,
  date,
  tree,
  parents,
}: CommitText & { tree: string; parents: string[] }): NewObject {
  const by = `${cleanName(author.name)} <${cleanName(author.email)}> ${Math.floor(date.getTime() / 1000)} +0000`
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${by}`, `committer ${by}`]
  // A NUL would end the message for git.
  const text = message.replaceAll('\0', '').toWellFormed()
  const content = Buffer.from(`${lines.join('\n')}\n\n${text.endsWith('\n') ? text : `${text}\n`}`)
  return { type: 'commit', content }
}

/** Without what would end the name for git, or what git itself leaves out at its ends. */
function cleanName(text: string): string {
  const cleaned = text
    .toWellFormed()
    .replace(/[\p{Cc}<>]/gu, '')
    .replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '')
  return cleaned === '' ? 'unknown' : cleaned
}
