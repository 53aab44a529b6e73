import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Whether it is a name as `parseDomainName` gives it. */
export function isDomainName(name: string): boolean {
  if (name.length > 253 || isIP(name) !== 0) return false
  const labels = name.split('.')
  // Browsers take a name that ends in a number for an address.
  return labels.length > 1 && labels.every((one) => label.test(one)) && /[a-z]/.test(labels.at(-1)!)
}

/** The name as browsers send it: lower case, ASCII, without a dot at its end. Null for what is no name of a site. */
export function parseDomainName(text: string): string | null {
  // `domainToASCII` would decode some of these, and take what stands around them for a part of the name.
  if (/[\s/:@?#%[\]\\]/.test(text)) return null
  const name = domainToASCII(text.replace(/\.$/, ''))
  return isDomainName(name) ? name : null
}
