import { isUtf8 } from 'node:buffer'
import { DocentError } from '#base/errors.ts'
import type { FileTree } from '#infra/files/file-tree.ts'

/** The text of a file as it is, line ends and byte order mark included. Throws `unsupported` when it is no text. */
export async function readText(tree: FileTree, path: string): Promise<string> {
  const bytes = await tree.read(path)
  if (bytes === null) throw new DocentError('not_found', 'path.not_found', `There is no file ${path}.`)
  if (!isText(bytes)) {
    throw new DocentError('unsupported', 'file.not_text', `${path} is not a text file (${bytes.length} bytes).`)
  }
  return bytes.toString('utf8')
}

export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** Lines as a reader counts them: without line ends, without byte order mark, and no empty one after the last. */
export function linesOf(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Numbered as `read` shows them. */
export function numbered(lines: string[], firstLine: number): string {
  return lines.map((line, index) => `${String(firstLine + index).padStart(6)}\t${line}`).join('\n')
}

/** All of a file that is short, as `read` shows it; null when it is long. */
export function showWhole(path: string, text: string): string | null {
  return text.length <= 12_000 ? asData(path, numbered(linesOf(text), 1)) : null
}

/**
 * Marks what a file says, so that a model can tell it from what people and tools say. A file that holds the closing mark
 * itself cannot step out of it.
 */
export function asData(path: string, text: string): string {
  return `<file path=${JSON.stringify(path)}>\n${contained(text)}\n</file>`
}

/** The same for what was gathered from several files. */
export function asResults(text: string): string {
  return `<results>\n${contained(text)}\n</results>`
}

function contained(text: string): string {
  return text.replace(/<(?=\/(file|results))/gi, '<\u200b')
}
