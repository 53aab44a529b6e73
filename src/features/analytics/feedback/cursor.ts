import { z } from 'zod'
import { DocentError } from '#base/errors.ts'

// A cursor holds a search term at most, four bytes a character.
const mostCharacters = 2000

/** A place between two rows, as text that callers hand back as it is. */
export function writeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Throws `invalid` for anything but what `writeCursor` makes: it goes into a query. */
export function readCursor<Place extends z.ZodType>(schema: Place, text: string): z.output<Place> {
  const place = text.length <= mostCharacters && /^[\w-]+$/.test(text) ? schema.safeParse(decode(text)) : null
  if (place?.success) return place.data
  const message = 'expected a nextCursor of an earlier page of this list'
  throw new DocentError('invalid', 'request.invalid', `cursor: ${message}.`, { details: [{ path: 'cursor', message }] })
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** A time that PostgreSQL can hold. */
export const CursorTime = z
  .int()
  .min(0)
  .max(Date.parse('9999-12-31T00:00:00Z'))
  .transform((at) => new Date(at))
