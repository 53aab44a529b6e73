import type { Line } from './line-splitter.ts'

/**
 * One request as a line of a log tells it. Null: the request had none. Undefined: this log does not tell, which is no
 * evidence of anything.
 */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** As it was asked for: a path with its query, or a whole URL. */
  target: string
  status: number
  address: string | null
  userAgent: string | null
  referrer: string | null
  /** The site that was asked for, where one log has several. */
  host?: string | null | undefined
  /** `X-Forwarded-For` as it arrived. */
  forwardedFor?: string | null | undefined
  accept?: string | null | undefined
  acceptLanguage?: string | null | undefined
  /** `Sec-Purpose` or `Purpose`, which prefetches carry. */
  purpose?: string | null | undefined
  /** Of the answer. */
  contentType?: string | null | undefined
}

/** What a line is: a request, a line that belongs to the format but is none, or (null) not of this format. */
export type ParsedLine = LogEntry | 'comment' | null

/** Reads the lines of one file, in order. Never throws, whatever the line holds. */
export type LineParser = (line: string) => ParsedLine

export interface LogFormat {
  name: string
  /** For people, in messages and help. */
  about: string
  /** The parser of one file. `fields` says where a JSON log has what; formats with fixed places ignore it. */
  open(options: { fields: ReadonlyMap<FieldName, string> }): LineParser
  /** What reads the usual lines of it quicker, to the same end. */
  openPlain?(): PlainReader
}

/** A place in the bytes of a line; an empty one is that of nothing. */
export interface Span {
  from: number
  to: number
}

/** Reads lines where they stand, if they are plain GET requests with nothing unusual in them. */
export interface PlainReader {
  /** What was read last; overwritten by the next line. */
  readonly found: {
    readonly at: number
    readonly status: number
    readonly address: Span
    /** Without its query. */
    readonly path: Span
    readonly referrer: Span
    readonly userAgent: Span
  }
  /** Reads time, address, path and status. False: the line is not plain. */
  readRequest(line: Line): boolean
  /** After that: reads the others. */
  readClient(line: Line): boolean
}

/** What can be found in a line. */
export const fieldNames = [
  'time',
  'method',
  'path',
  'status',
  'ip',
  'ua',
  'referrer',
  'host',
  'forwarded',
  'accept',
  'language',
  'purpose',
  'type',
] as const
export type FieldName = (typeof fieldNames)[number]

/** Logs write `-` for what is not there. */
export function presentOrNull(text: string): string | null {
  return text === '-' || text === '' ? null : text
}
