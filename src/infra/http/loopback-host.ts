import ipaddr from 'ipaddr.js'

/** Whether a host, perhaps with a port, is a name or an address that leads to the machine itself. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}
