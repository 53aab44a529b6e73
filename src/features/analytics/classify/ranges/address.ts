import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as a number: of 32 bits for IPv4, of 128 for IPv6. */
export type Address = { bits: 32; value: number } | { bits: 128; value: bigint }

/** Null for what is no address. IPv4 written as IPv6 (`::ffff:1.2.3.4`) is IPv4. */
export function parseAddress(text: string): Address | null {
  const plain = parseIpv4(text)
  if (plain !== null) return { bits: 32, value: plain }
  // Longer than any address; the parser need not see it.
  if (text.length > 45 || !text.includes(':') || !isIPv6(text)) return null
  const address = ipaddr.IPv6.parse(inHex(text))
  if (address.isIPv4MappedAddress()) return { bits: 32, value: toNumber(address.toIPv4Address().octets) }
  return { bits: 128, value: toBigInt(address.toByteArray()) }
}

/** ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8; without dots there is nothing to take wrongly. */
function inHex(address: string): string {
  return address.includes('.') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/** Four decimal numbers and nothing else: ipaddr.js would take `0x7f.1` and `017.0.0.1` too. */
function parseIpv4(text: string): number | null {
  if (text.length < 7 || text.length > 15) return null
  let value = 0
  let part = -1
  let parts = 0
  for (let at = 0; at <= text.length; at++) {
    const digit = at === text.length ? -2 : text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) {
      part = part === -1 ? digit : part === 0 ? 256 : part * 10 + digit
      if (part > 255) return null
    } else {
      // The dot is -2 here, and so is the end.
      if (digit !== -2 || part === -1) return null
      value = value * 256 + part
      part = -1
      parts++
    }
  }
  return parts === 4 ? value : null
}

function toNumber(octets: number[]): number {
  return octets.reduce((value, octet) => value * 256 + octet, 0)
}

function toBigInt(bytes: number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

export type Block = { bits: 32; first: number; last: number } | { bits: 128; first: bigint; last: bigint }

/** A network such as `10.0.0.0/8`, or one address, as its first and last. Null for what is neither. */
export function parseBlock(text: string): Block | null {
  const [, base = '', length] = /^([^/]{2,64})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(base)
  if (address === null) return null
  const prefix = length === undefined ? address.bits : Number(length)
  if (prefix > address.bits) return null
  if (address.bits === 32) {
    const size = 2 ** (32 - prefix)
    const first = Math.floor(address.value / size) * size
    return { bits: 32, first, last: first + size - 1 }
  }
  const size = 1n << BigInt(128 - prefix)
  const first = (address.value / size) * size
  return { bits: 128, first, last: first + size - 1n }
}

export function isIn(address: Address, block: Block): boolean {
  return address.bits === block.bits && address.value >= block.first && address.value <= block.last
}
