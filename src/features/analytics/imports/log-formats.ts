import { DocentError } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { cloudflare } from './formats/cloudflare.ts'
import { cloudfront } from './formats/cloudfront.ts'
import { combined } from './formats/combined.ts'
import { jsonLines } from './formats/json-lines.ts'
import type { FieldName, LogFormat } from './log-entry.ts'

/** Every format, the more particular first: Cloudflare's is one of JSON lines too. */
export const logFormats = { cloudflare, cloudfront, combined, json: jsonLines } satisfies Record<string, LogFormat>
export type FormatName = keyof typeof logFormats

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(logFormats, name)
}

// A log that begins in the middle of a line, or with a line of something else, is still recognised.
const leastShare = 0.5

/** The format that reads the most of these lines, the first ones of a file. Throws `invalid` when none reads half. */
export function detectFormat(lines: readonly string[], fields: ReadonlyMap<FieldName, string>): LogFormat {
  let best: { format: LogFormat; read: number } | null = null
  let asked = 0
  for (const format of Object.values(logFormats)) {
    const parse = format.open({ fields })
    const parsed = lines.map(parse)
    // A comment says nothing by itself, but only one format has any.
    const read = parsed.filter((line) => line !== null).length
    if (read > (best?.read ?? 0)) best = { format, read }
    asked = lines.length
  }
  if (best !== null && best.read >= asked * leastShare) return best.format
  throw unknownFormat(lines)
}

function unknownFormat(lines: readonly string[]): DocentError {
  const expected = Object.values(logFormats).map(({ name, about }) => `${name}: ${about}`)
  const first = lines[0] ?? ''
  const advice = isJson(first)
    ? 'It is JSON, but without a time, a path and a status where they usually are: say where with --map, such as --map time=at,path=http.url,status=code.'
    : 'Name it with --format if it is one of these all the same.'
  const message = `The format is not known. Expected one of: ${expected.join('; ')}. Found: ${JSON.stringify(oneLine(first, 120))}. ${advice}`
  return new DocentError('invalid', 'import.unknown_format', message)
}

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
