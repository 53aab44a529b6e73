import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { prettyFactory } from 'pino-pretty'

export type Log = Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Fields whose values are secret wherever they stand; two levels deep covers what we log. */
const secretFields = ['authorization', 'cookie', 'password', 'token', 'secret', 'apiKey', 'key', 'adminKey']
const redactPaths = [
  ...secretFields,
  ...secretFields.map((field) => `*.${field}`),
  ...secretFields.map((field) => `*.*.${field}`),
  '["set-cookie"]',
  '*["set-cookie"]',
  '*.*["set-cookie"]',
]

/** Docent keys and passwords inside URLs, wherever they end up in a text: error messages quote what they were given. */
const secretText = /docent_[0-9A-Za-z]{8,}|(?<=:\/\/[^/\s:@]{0,256}:)[^/\s@]+(?=@)/g

export function hideSecrets(text: string): string {
  return text.replace(secretText, (found) => (found.startsWith('docent_') ? 'docent_[hidden]' : '[hidden]'))
}

export interface LogOptions {
  level: LogLevel
  /** `text` is for a person at a terminal, `json` for everything else. */
  format: 'json' | 'text'
  destination: { write(text: string): unknown }
}

export function createLog({ level, format, destination }: LogOptions): Log {
  const pretty = format === 'text' ? prettyFactory({ colorize: true, ignore: 'pid,hostname,requestId', singleLine: true }) : null
  const stream: DestinationStream = {
    write(line) {
      // The last gate: whatever path a secret took into a line, it does not leave the process.
      const safe = hideSecrets(line)
      destination.write(pretty ? pretty(safe) : safe)
    },
  }
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redactPaths, censor: '[hidden]' },
      serializers: { err: stdSerializers.err },
    },
    stream,
  )
}
