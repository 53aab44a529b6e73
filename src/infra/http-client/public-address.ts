import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

// Of all IPv6 addresses only these are handed out for the internet. What lies outside is either private or a way to
// write an IPv4 address in another form.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
// A network without IPv4 reaches all of IPv4 through these; so they are as public as the address inside.
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
// Azure's own agent, with secrets of the machine: a public address that every machine there has to itself.
const azureAgent = '168.63.129.16'

/**
 * Whether an address is one of the internet, and not of this machine, its network, its cloud's metadata, or a special
 * range. Takes an address as the system's resolver or `URL` writes it; whatever else it is given is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || (isIPv6(text) && !URL.canParse(`http://[${text}]`))) return false
  // An IPv4 address that is written as IPv6 (::ffff:10.0.0.1) counts as itself.
  const address = ipaddr.process(isIPv6(text) ? inHex(text) : text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && address.toString() !== azureAgent
  if (address.match(nat64)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.match(globalUnicast) && address.range() === 'unicast'
}

/** ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8; without dots there is nothing to take wrongly. */
function inHex(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

// Names that never mean a machine of the internet (RFC 6761, 6762, 8375, and what clouds call their metadata).
const privateNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/

/** Whether a URL's host may be a public one, as far as it tells without asking anybody. */
export function mayBePublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return isPublicAddress(bare)
  return !privateNames.test(bare.toLowerCase().replace(/\.+$/, ''))
}
