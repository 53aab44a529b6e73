export interface PatchLine {
  kind: 'added' | 'removed' | 'same' | 'gap'
  oldNumber: number | null
  newNumber: number | null
  text: string
}

/** Lines of hunks as `git diff` writes them; between hunks a `gap`. */
export function parsePatch(patch: string): PatchLine[] {
  const lines: PatchLine[] = []
  let oldNumber = 0
  let newNumber = 0
  let left = { before: 0, after: 0 }
  for (const line of patch.split('\n')) {
    const head = left.before + left.after === 0 ? /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(line) : null
    if (head) {
      const [before, beforeCount, after, afterCount] = head.slice(1).map(Number) as [number, number, number, number]
      if (lines.length > 0) lines.push({ kind: 'gap', oldNumber: null, newNumber: null, text: '' })
      oldNumber = before
      newNumber = after
      // By the counts, so that no content passes for the head of a hunk.
      left = { before: beforeCount, after: afterCount }
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', oldNumber: null, newNumber: newNumber++, text: line.slice(1) })
      left.after--
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', oldNumber: oldNumber++, newNumber: null, text: line.slice(1) })
      left.before--
    } else if (!line.startsWith('\\')) {
      lines.push({ kind: 'same', oldNumber: oldNumber++, newNumber: newNumber++, text: line.slice(1) })
      left.before--
      left.after--
    }
  }
  return lines
}

/** Characters that turn the direction of what follows would show another text than the file's. */
export function visible(text: string): string {
  return text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => {
      return `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase()}⟩`
    })
    .replace(/\r/g, '␍')
}
