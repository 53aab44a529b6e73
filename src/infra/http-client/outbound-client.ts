import { lookup as lookupName } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { DocentError, messageOf } from '#base/errors.ts'
import { isPublicAddress, mayBePublicHost } from './public-address.ts'

/** Calls addresses that somebody else chose. */
export interface OutboundClient {
  /** Why this URL may not be called, as far as it tells without asking anybody; null when it may. */
  refusalOf(url: URL): string | null
  /**
   * Sends one request and returns what it was answered, whatever the status; redirects are not followed.
   * Throws `forbidden` when the address may not be called, and `unavailable` when there is no answer.
   */
  post(request: OutboundRequest): Promise<OutboundAnswer>
}

export interface OutboundRequest {
  url: URL
  headers: Record<string, string>
  body: string
  /** For everything: finding the address, connecting, sending, and the answer's head. */
  timeoutMs: number
  /** Gives up at once. */
  signal: AbortSignal
}

export interface OutboundAnswer {
  status: number
  location: string | null
  retryAfter: string | null
  /** The beginning of the body, as it came; hostile. */
  text: string
}

export interface ResolvedAddress {
  address: string
  family: number
}

/** All addresses of a name. */
export type NameResolver = (hostname: string) => Promise<ResolvedAddress[]>

// Enough for a sentence about what went wrong; the rest is never read.
const mostBodyBytes = 1024
// The status is what counts; who dribbles a body after it does not keep us.
const bodyTimeoutMs = 2_000

/** As the system does it, so that its hosts file counts too. */
const resolveBySystem: NameResolver = (hostname) => lookupName(hostname, { all: true })

export interface OutboundClientOptions {
  userAgent: string
  /** Whether addresses of this machine and its network may be called. */
  allowPrivate: boolean
  resolveName?: NameResolver
}

export function createOutboundClient({
  userAgent,
  allowPrivate,
  resolveName = resolveBySystem,
}: OutboundClientOptions): OutboundClient {
  /**
   * The connection is made to the very addresses that were checked here. A check beforehand would ask a second time, and
   * a name server may answer differently then.
   */
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolveName(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first) callback(new DocentError('unavailable', 'http.no_address', 'The name has no address.'), '')
        else if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
          callback(privateAddress('The name leads to a private address'), '')
        } else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }

  function refusalOf(url: URL): string | null {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'expected an http or https URL'
    if (url.username !== '' || url.password !== '') return 'expected a URL without a user name or password'
    if (!allowPrivate && !mayBePublicHost(url.hostname)) {
      return 'expected a public address (the setting webhookAllowPrivate allows private ones)'
    }
    return null
  }

  return {
    refusalOf,
    async post({ url, headers, body, timeoutMs, signal }) {
      const refusal = refusalOf(url)
      // A literal address is never looked up, so this is the only gate for it.
      if (refusal) throw privateAddress(`The URL may not be called: ${refusal}`)
      const timeout = AbortSignal.timeout(timeoutMs)
      const content = Buffer.from(body)
      try {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
            method: 'POST',
            // A connection of its own: nothing of one receiver's is there for the next.
            agent: false,
            lookup,
            signal: AbortSignal.any([timeout, signal]),
            headers: { ...headers, 'user-agent': userAgent, accept: '*/*', 'content-length': String(content.length) },
          })
          request.on('response', resolve)
          request.on('error', reject)
          request.on('close', () => reject(new Error('the connection was closed without an answer')))
          request.end(content)
        })
        const { statusCode: status = 0, headers: answered } = response
        const { location = null, 'retry-after': retryAfter = null } = answered
        return { status, location, retryAfter, text: await readStart(response) }
      } catch (error) {
        if (error instanceof DocentError) throw error
        const { code } = error as NodeJS.ErrnoException
        const reason = timeout.aborted ? ` within ${timeoutMs / 1000} s` : `: ${messageOf(error) || code}`
        throw new DocentError('unavailable', 'http.no_answer', `No answer${reason}.`, { cause: error })
      }
    },
  }
}

/** The first bytes of the body, or what came of them. */
async function readStart(response: IncomingMessage): Promise<string> {
  const enough = setTimeout(() => response.destroy(), bodyTimeoutMs)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= mostBodyBytes) break
    }
  } catch {
    // Cut off: the status was there, and is what counts.
  } finally {
    clearTimeout(enough)
  }
  return Buffer.concat(chunks).subarray(0, mostBodyBytes).toString('utf8')
}

/** Without the address: who chose the name must not learn what it means inside our network. */
function privateAddress(sentence: string): DocentError {
  return new DocentError('forbidden', 'http.private_address', `${sentence}.`)
}
