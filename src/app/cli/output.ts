import type { DocentError } from '#base/errors.ts'
import { hideSecrets } from '#base/hide-secrets.ts'

/** Where a command's words go. */
export interface Output {
  /** The result: as JSON with --json, else as `text` says it for people. */
  result(value: unknown, text: string): void
  /** A word on the way, never part of the result: to standard error. */
  note(text: string): void
  error(error: DocentError): void
  isTerminal: boolean
}

export interface Streams {
  stdout: { write(text: string): unknown; isTTY?: boolean }
  stderr: { write(text: string): unknown }
}

export function createOutput({ stdout, stderr }: Streams, { json }: { json: boolean }): Output {
  return {
    isTerminal: Boolean(stdout.isTTY),
    result: (value, text) => void stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    error({ message, code, details, kind, cause }) {
      const safe = hideSecrets(message)
      const body = details ? { error: safe, code, details } : { error: safe, code }
      // An error that nobody foresaw is a bug of ours: its stack is what a report needs.
      const stack = kind === 'internal' && cause instanceof Error ? `\n${hideSecrets(cause.stack ?? '')}` : ''
      stderr.write(json ? `${JSON.stringify(body)}\n` : `${safe}${stack}\n`)
    },
  }
}

/** Rows in columns as wide as they need; control characters cannot move the cursor about. */
export function table(header: string[], rows: (string | null)[][]): string {
  const clean = rows.map((row) => row.map((cell) => (cell ?? '–').replace(/\p{Cc}/gu, ' ')))
  const widths = header.map((title, column) => Math.max(title.length, ...clean.map((row) => row[column]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [line(header), ...clean.map(line)].join('\n')
}
