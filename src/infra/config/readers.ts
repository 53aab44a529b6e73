import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { modelIdFault } from '#base/model-id.ts'

/** A value as it arrives: always text from the environment, any YAML scalar or list from the file. */
export type RawValue = unknown

/** Reads one kind of value. `expected` completes the sentence "expected …" when `read` returns undefined. */
export interface Reader<T> {
  expected: string
  read(raw: RawValue, context: { cwd: string }): T | undefined
}

export function text(expected = 'a text that is not empty'): Reader<string> {
  return { expected, read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined) }
}

export function matching(pattern: RegExp, expected: string): Reader<string> {
  return { expected, read: (raw) => (typeof raw === 'string' && pattern.test(raw) ? raw : undefined) }
}

export function integer(min: number, max: number): Reader<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read(raw) {
      const number = typeof raw === 'string' && /^\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw
      return Number.isInteger(number) && (number as number) >= min && (number as number) <= max
        ? (number as number)
        : undefined
    },
  }
}

export function boolean(): Reader<boolean> {
  const words = new Map<unknown, boolean>([
    ['1', true],
    ['true', true],
    ['yes', true],
    ['on', true],
    ['0', false],
    ['false', false],
    ['no', false],
    ['off', false],
  ])
  return {
    expected: 'true or false (or 1 or 0)',
    read(raw) {
      if (typeof raw === 'boolean') return raw
      return typeof raw === 'string' || typeof raw === 'number'
        ? words.get(String(raw).trim().toLowerCase())
        : undefined
    },
  }
}

export function oneOf<const T extends string>(...values: T[]): Reader<T> {
  return {
    expected: `one of ${values.join(', ')}`,
    read: (raw) => values.find((value) => value === raw),
  }
}

/** A folder; a relative one is taken from where the process was started. */
export function folder(): Reader<string> {
  return {
    expected: 'the path of a folder',
    read(raw, { cwd }) {
      // A URL is a value meant for another setting, not a folder to make.
      if (typeof raw !== 'string' || raw.trim() === '' || /\0|^\s*[a-z+]+:\/\//i.test(raw)) return undefined
      return isAbsolute(raw) ? resolve(raw) : resolve(cwd, raw)
    },
  }
}

/** An address or name as it can stand in a URL too, since the base URL is made from it. */
export function host(): Reader<string> {
  return {
    expected: 'an IP address or host name to listen on, without a port',
    read(raw) {
      const name = typeof raw === 'string' ? raw.trim() : ''
      if (isIP(name)) return name
      return /^[\w.-]+$/.test(name) && URL.canParse(`http://${name}:1`) ? name : undefined
    },
  }
}

/** An http(s) URL. Without its trailing slash, so that paths can be appended. */
export function webUrl(): Reader<string> {
  return {
    expected: 'a URL that starts with http:// or https://, without a user name, password, query or fragment',
    read(raw) {
      const url = parseUrl(raw, ['http:', 'https:'])
      if (!url || url.username || url.password || /[?#]/.test(url.href)) return undefined
      return (raw as string).trim().replace(/\/+$/, '')
    },
  }
}

/** The same for a service that takes its user and password from the URL. */
export function serviceUrl(): Reader<string> {
  return {
    expected: 'a URL that starts with http:// or https://',
    read(raw) {
      const url = parseUrl(raw, ['http:', 'https:'])
      return url && !/@/.test(url.pathname + url.search + url.hash)
        ? (raw as string).trim().replace(/\/+$/, '')
        : undefined
    },
  }
}

export function postgresUrl(): Reader<string> {
  return {
    expected: 'a URL that starts with postgres:// or postgresql://, special characters of its password percent-encoded',
    read(raw) {
      const url = parseUrl(raw, ['postgres:', 'postgresql:'])
      // `user:1/2@host` parses as the host `user`: the password would then be shown as the name of a database.
      return url && !/@/.test(url.pathname + url.search + url.hash) ? (raw as string).trim() : undefined
    },
  }
}

/** `URL` itself also takes `http:name`, and spaces anywhere, which would end up in texts that are made of it. */
function parseUrl(raw: RawValue, protocols: string[]): URL | null {
  if (typeof raw !== 'string' || /\s|^[a-z]+:(?!\/\/)/i.test(raw.trim())) return null
  const url = URL.parse(raw.trim())
  return url && protocols.includes(url.protocol) ? url : null
}

export function modelId(): Reader<string> {
  return {
    expected: 'builtin/editor, or <provider>/<model> with provider anthropic, openai, google or openai-compatible',
    read: (raw) => (typeof raw === 'string' && modelIdFault(raw) === null ? raw : undefined),
  }
}

/** Addresses and networks: `10.0.0.0/8, ::1`; from the environment separated by commas. */
export function networks(): Reader<string[]> {
  return {
    expected: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    read(raw) {
      const items = typeof raw === 'string' ? raw.split(',') : raw
      if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) return undefined
      const names = items.map((item) => item.trim()).filter((item) => item !== '')
      return names.every(isNetwork) ? names : undefined
    },
  }
}

/** ipaddr.js alone also takes `1` for 0.0.0.1 and `010.0.0.1` for 8.0.0.1, which nobody means. */
function isNetwork(name: string): boolean {
  const [address = '', bits] = name.split('/')
  return isIP(address) !== 0 && (bits === undefined || ipaddr.isValidCIDR(name))
}
