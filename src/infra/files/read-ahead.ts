import type { FileTree } from './file-tree.ts'

// A commit's files come through a pipe. What is asked for at once is answered at once: thousands of pages in a few rounds.
const mostFiles = 500
const mostBytes = 4_000_000

/** The files in their order, without those that are not there. While those of one round are looked at, the next are read. */
export async function* readAhead(tree: FileTree, paths: readonly string[]): AsyncGenerator<[path: string, Buffer]> {
  let reading = readRound(0)
  while (reading.end > reading.start) {
    const { start, end, contents } = reading
    const read = await contents
    reading = readRound(end)
    for (const [index, content] of read.entries()) if (content) yield [paths[start + index]!, content]
  }

  function readRound(start: number): { start: number; end: number; contents: Promise<(Buffer | null)[]> } {
    const reads: Promise<Buffer | null>[] = []
    let end = start
    for (let bytes = 0; end < paths.length && reads.length < mostFiles && bytes < mostBytes; end++) {
      const path = paths[end]!
      bytes += tree.entries.get(path)?.size ?? 0
      reads.push(tree.read(path))
    }
    const contents = Promise.all(reads)
    // Whoever waits for them gets the error; until then nobody does, which Node would take for unhandled.
    contents.catch(() => {})
    return { start, end, contents }
  }
}
