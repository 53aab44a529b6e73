import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config/settings.ts'
import { clientAddress } from './client-address.ts'

type ProxySettings = Pick<Config, 'trustedProxies' | 'proxyHeader'>

/** Where the request comes from, as far as our own proxies can tell. */
export function addressOf({ raw, headers, ip }: FastifyRequest, config: ProxySettings): string {
  return clientAddress({ peer: raw.socket.remoteAddress, headers }, config) ?? ip
}

/** What requests from one place are counted under. */
export function addressBucketOf(request: FastifyRequest, config: ProxySettings): string {
  return addressBucket(addressOf(request, config))
}

/** One bucket an address, and for IPv6 one a /64: that is what one subscriber has at the least. */
export function addressBucket(address: string): string {
  if (!ipaddr.isValid(address)) return 'address:unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`
  return `address:${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
