import { isIP } from 'node:net'
import { type LogEntry, type LogFormat, presentOrNull } from '../log-entry.ts'
import { createTimeParser } from '../log-time.ts'
import { createPlainCombined } from './plain-combined.ts'

/**
 * nginx's and Apache's common and combined formats: `address ident user [time] "request" status bytes "referrer" "user
 * agent"`. There may be a virtual host in front, and anything after: of that, only nginx's `"$http_x_forwarded_for"`
 * directly after the user agent is read. Found by searching for the next mark instead of by an expression over the
 * line: a log has millions.
 */
export const combined: LogFormat = {
  name: 'combined',
  about: 'nginx or Apache, common or combined',
  openPlain: createPlainCombined,
  open() {
    const parseTime = createTimeParser()
    return (line) => {
      const open = line.indexOf('[')
      const close = line.indexOf('] "', open)
      if (open < 4 || close === -1) return null
      const at = parseTime(line, open + 1, close)
      const requestEnd = quoteEnd(line, close + 3)
      if (at === null || requestEnd === -1) return null
      const status = statusAt(line, requestEnd + 2)
      if (status === 0) return null
      const { address, host } = clientOf(line.slice(0, open - 1))
      const { method, target } = requestOf(line.slice(close + 3, requestEnd))
      return new CombinedEntry({ at, method, target, status, address, host }, line, requestEnd + 6)
    }
  },
}

/** Reads what is known of the client when it is asked for: of half the lines the request alone tells that they are no views. */
class CombinedEntry implements LogEntry {
  readonly at: number
  readonly method: string
  readonly target: string
  readonly status: number
  readonly address: string | null
  readonly host: string | null | undefined
  readonly #line: string
  readonly #from: number
  #quoted: Quoted | null = null

  constructor(request: Omit<LogEntry, 'userAgent' | 'referrer'>, line: string, from: number) {
    this.at = request.at
    this.method = request.method
    this.target = request.target
    this.status = request.status
    this.address = request.address
    this.host = request.host
    this.#line = line
    this.#from = from
  }

  get userAgent(): string | null {
    return this.#read().userAgent
  }

  get referrer(): string | null {
    return this.#read().referrer
  }

  get forwardedFor(): string | null | undefined {
    return this.#read().forwardedFor
  }

  #read(): Quoted {
    this.#quoted ??= quotedOf(this.#line, this.#from)
    return this.#quoted
  }
}

/** Where the quote is that ends the text starting here: one with an even number of backslashes before it. */
function quoteEnd(line: string, from: number): number {
  for (let end = line.indexOf('"', from); end !== -1; end = line.indexOf('"', end + 1)) {
    let slashes = 0
    while (end - slashes > from && line.charCodeAt(end - slashes - 1) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}

/** Three digits with a space before them and a space or the end after them; else 0. */
function statusAt(line: string, at: number): number {
  if (line.charCodeAt(at - 1) !== 0x20) return 0
  const after = line.charCodeAt(at + 3)
  if (after !== 0x20 && at + 3 !== line.length) return 0
  let status = 0
  for (let digit = 0; digit < 3; digit++) {
    const value = line.charCodeAt(at + digit) - 0x30
    if (!(value >= 0 && value <= 9)) return 0
    status = status * 10 + value
  }
  return status >= 100 ? status : 0
}

/** The first word is the client, unless it is the virtual host and the second one is the client. */
function clientOf(front: string): { address: string | null; host: string | null | undefined } {
  const first = front.indexOf(' ')
  const second = front.indexOf(' ', first + 1)
  const third = front.indexOf(' ', second + 1)
  if (third !== -1) {
    const [one, two] = [front.slice(0, first), front.slice(first + 1, second)]
    if (isIP(one) === 0 && isIP(two) !== 0) return { address: two, host: presentOrNull(one) }
    return { address: presentOrNull(one), host: undefined }
  }
  return { address: presentOrNull(first === -1 ? front : front.slice(0, first)), host: undefined }
}

/** `GET /path HTTP/1.1`. What is none, such as the first bytes of TLS, is without a method. */
function requestOf(request: string): { method: string; target: string } {
  const space = request.indexOf(' ')
  const end = request.lastIndexOf(' ')
  if (space < 1) return { method: '', target: '' }
  // HTTP/0.9 had no version.
  const target = end === space ? request.slice(space + 1) : request.slice(space + 1, end)
  return { method: request.slice(0, space), target: unescapeQuoted(target) }
}

type Quoted = Pick<LogEntry, 'userAgent' | 'referrer' | 'forwardedFor'>

const nothingQuoted: Quoted = { userAgent: null, referrer: null }

/** Referrer, user agent and what nginx's packages log after them, from where the bytes stand. */
function quotedOf(line: string, from: number): Quoted {
  const referrerStart = line.indexOf(' "', from - 1) + 2
  if (referrerStart === 1) return nothingQuoted
  const referrerEnd = quoteEnd(line, referrerStart)
  if (referrerEnd === -1) return nothingQuoted
  const agentStart = referrerEnd + 3
  if (line.charCodeAt(agentStart - 1) !== 0x22) return nothingQuoted
  const agentEnd = quoteEnd(line, agentStart)
  if (agentEnd === -1) return nothingQuoted
  const quoted: Quoted = {
    referrer: presentOrNull(unescapeQuoted(line.slice(referrerStart, referrerEnd))),
    userAgent: presentOrNull(unescapeQuoted(line.slice(agentStart, agentEnd))),
  }
  const forwardedStart = agentEnd + 3
  if (line.charCodeAt(forwardedStart - 1) !== 0x22) return quoted
  const forwardedEnd = quoteEnd(line, forwardedStart)
  if (forwardedEnd !== -1) quoted.forwardedFor = presentOrNull(line.slice(forwardedStart, forwardedEnd))
  return quoted
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', v: '\v', f: '\f' }

/** nginx writes `\x22`, Apache `\"` and also `\n`. Bytes beyond ASCII may be UTF-8 that was escaped byte by byte. */
function unescapeQuoted(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/(?:\\x[0-9A-Fa-f]{2})+|\\(.)/gs, (run, character?: string) =>
    character === undefined
      ? Buffer.from(run.replaceAll('\\x', ''), 'hex').toString('utf8')
      : (escapes[character] ?? character),
  )
}
