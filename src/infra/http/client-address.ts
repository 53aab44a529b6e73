import type { IncomingHttpHeaders } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/settings.ts'

/** A request as far as it tells where it comes from. */
export interface AddressedRequest {
  /** The other end of the connection; nothing on a unix socket. */
  peer: string | undefined
  headers: IncomingHttpHeaders
}

// A chain of proxies is a few long. A header with thousands of names is somebody's attempt to keep us busy.
const mostHeaderLength = 4096

/**
 * The address of whoever asked: the peer or, when that is a trusted proxy, the one that the proxies name. Their header
 * is read from its end, which the nearest proxy wrote; the first address that is not trusted is the client's, as all
 * before it is the client's own word. What cannot be read leaves the peer. Null only without a peer.
 */
export function clientAddress(
  { peer, headers }: AddressedRequest,
  { trustedProxies, proxyHeader }: Pick<Config, 'trustedProxies' | 'proxyHeader'>,
): string | null {
  const direct = normalAddress(peer ?? '')
  if (direct === null || !isTrusted(direct, trustedProxies)) return direct
  const header = [headers[proxyHeader] ?? []].flat().join(',')
  if (header === '' || header.length > mostHeaderLength) return direct
  const named = namedIn(header, proxyHeader)
  for (let at = named.length - 1; at >= 0; at--) {
    const address = normalAddress(named[at]!)
    if (address === null) return direct
    if (at === 0 || !isTrusted(address, trustedProxies)) return address
  }
  return direct
}

/**
 * An address in its one spelling, or null for what is none: without a port, brackets or zone, `::ffff:192.0.2.1` as
 * 192.0.2.1.
 */
export function normalAddress(text: string): string | null {
  const bare = withoutPort(text.trim())
  if (isIP(bare) === 0) return null
  if (!bare.includes(':')) return bare
  return ipaddr.process(bare.replace(/%.*$/s, '')).toString()
}

/** `192.0.2.1:80`, `[2001:db8::1]` and `[2001:db8::1]:80`; an IPv6 address without brackets has no port. */
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(text)
  if (!match) return text
  const [, bracketed, plain = ''] = match
  if (bracketed === undefined) return plain
  return isIPv6(bracketed) ? bracketed : text
}

function isTrusted(address: string, trusted: readonly string[]): boolean {
  if (trusted.length === 0) return false
  const parsed = ipaddr.process(address)
  return trusted.some((entry) => {
    const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : wholeAddress(entry)
    return network.kind() === parsed.kind() && parsed.match(network, bits)
  })
}

function wholeAddress(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function namedIn(header: string, name: Config['proxyHeader']): string[] {
  switch (name) {
    case 'x-forwarded-for':
      return header.split(',')
    case 'forwarded':
      return forwardedFor(header)
    case 'cf-connecting-ip':
      return [header]
  }
}

/** One pair of RFC 7239, with what ends it: `for="[2001:db8::1]:80"` and `;`, `,` or the end. No two parts can share spaces. */
const pair = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;=]*))[ \t]*)?([;,]|$)/y

/** The `for` of each element; an empty text where there is none, which is no address. Broken from its start: none. */
function forwardedFor(header: string): string[] {
  const named: string[] = []
  let current = ''
  pair.lastIndex = 0
  while (true) {
    const match = pair.exec(header)
    // Where it breaks off, all that follows is unreadable, the end included: the nearest proxy's word is lost.
    if (!match) return []
    const [, name = '', quoted, plain = '', end] = match
    if (name.toLowerCase() === 'for') current = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    if (end === ';') continue
    named.push(current)
    current = ''
    if (end === '') return named
  }
}
