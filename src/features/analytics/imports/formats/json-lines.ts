import { type FieldName, type LogEntry, type LogFormat, presentOrNull } from '../log-entry.ts'
import { parseLogTime } from '../log-time.ts'

/** Where JSON logs have what, most usual first. A dot leads into an object, unless a key has the whole name. */
export type FieldPlaces = Record<FieldName, readonly string[]>

// nginx's variable names, then Caddy, Traefik, and what people call it themselves.
const usualPlaces: FieldPlaces = {
  time: ['time_iso8601', 'time_local', 'timestamp', '@timestamp', 'ts', 'time', 'msec', 'StartUTC', 'datetime', 'date'],
  method: ['request_method', 'method', 'request.method', 'RequestMethod', 'http_method', 'verb'],
  path: ['request_uri', 'uri', 'request.uri', 'RequestPath', 'path', 'url', 'request_url', 'target', 'request'],
  status: ['status', 'DownstreamStatus', 'status_code', 'statusCode', 'response.status', 'response_status'],
  ip: [
    'remote_addr',
    'request.client_ip',
    'client_ip',
    'request.remote_ip',
    'ClientHost',
    'remote_ip',
    'ip',
    'clientIp',
  ],
  ua: ['http_user_agent', 'user_agent', 'request.headers.User-Agent', 'request_User-Agent', 'userAgent', 'agent', 'ua'],
  referrer: ['http_referer', 'referer', 'referrer', 'request.headers.Referer', 'request_Referer', 'http_referrer'],
  host: ['host', 'http_host', 'request.host', 'RequestHost', 'server_name', 'vhost', 'hostname'],
  forwarded: ['http_x_forwarded_for', 'x_forwarded_for', 'request.headers.X-Forwarded-For', 'request_X-Forwarded-For'],
  accept: ['http_accept', 'accept', 'request.headers.Accept', 'request_Accept'],
  language: [
    'http_accept_language',
    'accept_language',
    'request.headers.Accept-Language',
    'request_Accept-Language',
    'acceptLanguage',
  ],
  purpose: [
    'http_sec_purpose',
    'http_purpose',
    'request.headers.Sec-Purpose',
    'request.headers.Purpose',
    'request_Sec-Purpose',
    'purpose',
  ],
  type: [
    'sent_http_content_type',
    'content_type',
    'resp_headers.Content-Type',
    'downstream_Content-Type',
    'contentType',
  ],
}

export const jsonLines: LogFormat = {
  name: 'json',
  about: 'JSON lines of nginx, Caddy, Traefik, or others with --map',
  open: ({ fields }) => jsonParser(usualPlaces, fields),
}

/** A parser of JSON lines that looks in these places; what `fields` says comes before them. */
export function jsonParser(places: FieldPlaces, fields: ReadonlyMap<FieldName, string>) {
  const placesOf = (name: FieldName) => (fields.has(name) ? [fields.get(name)!] : places[name])
  const find = Object.fromEntries(Object.keys(places).map((name) => [name, finderOf(placesOf(name as FieldName))]))
  const { time, method, path, status, ip, ua, referrer, host, forwarded, accept, language, purpose, type } =
    find as Record<FieldName, Finder>
  return (line: string): LogEntry | null => {
    const record = parseObject(line)
    if (record === null) return null
    const found = time(record)
    const at = found === undefined || found === null ? null : parseLogTime(found)
    const request = textOf(path(record))
    const code = Number(status(record) ?? Number.NaN)
    if (at === null || !request || !Number.isInteger(code)) return null
    const asked = requestOf(request, textOf(method(record)))
    return {
      at,
      ...asked,
      status: code,
      address: textOf(ip(record)) ?? null,
      userAgent: textOf(ua(record)) ?? null,
      referrer: textOf(referrer(record)) ?? null,
      host: textOf(host(record)),
      forwardedFor: textOf(forwarded(record)),
      accept: textOf(accept(record)),
      acceptLanguage: textOf(language(record)),
      purpose: textOf(purpose(record)),
      contentType: textOf(type(record)),
    }
  }
}

type Finder = (record: Record<string, unknown>) => string | number | null | undefined

/** Looks first where the last line had it: all lines of a log are alike. */
function finderOf(places: readonly string[]): Finder {
  if (places.length === 0) return () => undefined
  const lookups = places.map((place) => ({ place, keys: place.split('.') }))
  let usual = 0
  return (record) => {
    const found = lookUp(record, lookups[usual]!)
    if (found !== undefined) return found
    for (const [index, lookup] of lookups.entries()) {
      const value = lookUp(record, lookup)
      if (value === undefined) continue
      usual = index
      return value
    }
    return undefined
  }
}

function lookUp(
  record: Record<string, unknown>,
  { place, keys }: { place: string; keys: string[] },
): string | number | null | undefined {
  let value: unknown = Object.hasOwn(record, place) ? record[place] : undefined
  if (value === undefined && keys.length > 1) {
    value = record
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
      value = (value as Record<string, unknown>)[key]
    }
  }
  // Caddy has a list for each header, with as many values as the request had such headers.
  const single = Array.isArray(value) ? value.join(', ') : value
  return typeof single === 'string' || typeof single === 'number' || single === null ? single : undefined
}

function textOf(value: string | number | null | undefined): string | null | undefined {
  return value === undefined || value === null ? value : presentOrNull(String(value).toWellFormed())
}

/** Some logs have the whole first line of a request in one field. Without any method it was a GET. */
function requestOf(request: string, method: string | null | undefined): { method: string; target: string } {
  const line = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(request)
  return line ? { method: line[1]!, target: line[2]! } : { method: method ?? 'GET', target: request }
}

function parseObject(line: string): Record<string, unknown> | null {
  if (!line.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}
