import type { LogFormat } from '../log-entry.ts'
import { type FieldPlaces, jsonParser } from './json-lines.ts'

/** The dataset `http_requests` of Cloudflare's Logpush. Its times are RFC 3339, or seconds or nanoseconds since 1970. */
const places: FieldPlaces = {
  time: ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
  method: ['ClientRequestMethod'],
  path: ['ClientRequestURI', 'ClientRequestPath'],
  status: ['EdgeResponseStatus'],
  ip: ['ClientIP'],
  ua: ['ClientRequestUserAgent'],
  referrer: ['ClientRequestReferer'],
  host: ['ClientRequestHost'],
  // ClientIP is the client's own already.
  forwarded: [],
  // Headers that are logged on top, as Cloudflare's custom fields.
  accept: ['RequestHeaders.accept'],
  language: ['RequestHeaders.accept-language'],
  purpose: ['RequestHeaders.sec-purpose'],
  type: ['EdgeResponseContentType'],
}

// What a worker at the edge asks for itself is no visit; its visitor has a line of their own.
const ownRequest = /"ClientRequestSource":\s*"(?!eyeball")/

export const cloudflare: LogFormat = {
  name: 'cloudflare',
  about: 'Cloudflare Logpush, HTTP requests as JSON',
  open({ fields }) {
    const parse = jsonParser(places, fields)
    return (line) => {
      const entry = parse(line)
      return entry !== null && ownRequest.test(line) ? 'comment' : entry
    }
  },
}
