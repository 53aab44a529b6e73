import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { hideInLine } from './hide-secrets.ts'

export type Log = Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** What identifies an error, and not what drivers hang on it: PGlite adds the query with all its values. */
function describeError(thrown: Error): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { type, message, stack } = stdSerializers.err(thrown)
  return { type, message, code: (thrown as { code?: unknown }).code, stack }
}

export interface LogOptions {
  level: LogLevel
  /** `text` is for a person at a terminal, `json` for everything else. */
  format: 'json' | 'text'
  destination: { write(text: string): unknown }
}

export function createLog({ level, format, destination }: LogOptions): Log {
  const pretty =
    format === 'text' ? prettyFactory({ colorize: true, ignore: 'pid,hostname,requestId', singleLine: true }) : null
  const stream: DestinationStream = {
    write(line) {
      // The last gate: whatever path a secret took into a line, it does not leave the process.
      const safe = hideInLine(line)
      destination.write(pretty ? pretty(safe) : safe)
    },
  }
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    stream,
  )
}
