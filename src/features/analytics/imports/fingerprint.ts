import { createHash } from 'node:crypto'

/** As many bytes of a log tell it from every other one. */
export const fingerprintBytes = 4096

/**
 * What tells a log from others. It stays while a log grows, is renamed or compressed, and is another after rotation. One
 * that is shorter than this gets a new one as it grows and is then read from its start again, which the ids of its
 * lines make harmless. `options` are those that decide which lines count: a log read for another host is not the same.
 */
export function fingerprintOf(head: Buffer, options: Record<string, unknown>): string {
  const start = head.subarray(0, fingerprintBytes)
  const whole = start.length < fingerprintBytes ? start.subarray(0, start.lastIndexOf(0x0a) + 1) : start
  return createHash('sha256').update(JSON.stringify(options)).update('\n').update(whole).digest('hex')
}
