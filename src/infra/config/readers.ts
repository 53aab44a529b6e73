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
    read: (raw) => (typeof raw === 'boolean' ? raw : words.get(String(raw).trim().toLowerCase())),
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
      if (typeof raw !== 'string' || raw.trim() === '' || raw.includes('\0')) return undefined
      return isAbsolute(raw) ? resolve(raw) : resolve(cwd, raw)
    },
  }
}

/** A URL with one of the given protocols. Without its trailing slash, so that paths can be appended. */
export function url(...protocols: string[]): Reader<string> {
  return {
    expected: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    read(raw) {
      if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined
      return protocols.includes(new URL(raw).protocol) ? raw.replace(/\/+$/, '') : undefined
    },
  }
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
      if (!Array.isArray(items)) return undefined
      const names = items.map((item) => String(item).trim()).filter((item) => item !== '')
      return names.every((name) => ipaddr.isValid(name) || ipaddr.isValidCIDR(name)) ? names : undefined
    },
  }
}
