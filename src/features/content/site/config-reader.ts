import { type Problem, problemKey } from '../check/problem.ts'
import type { ConfigList, ConfigObject, ConfigScalar, ConfigValue, DocsConfig } from './docs-config.ts'
import { safeAddress, safeImage } from './safe-address.ts'

/**
 * Reads fields of the configuration that must be of one kind. A field that is not there is null, and so is one of another
 * kind, which is a problem besides.
 */
export interface ConfigReader {
  problems: Problem[]
  object(parent: ConfigObject | null, name: string): ConfigObject | null
  list(parent: ConfigObject | null, name: string): ConfigList | null
  /** Those items of a list that are objects. */
  objects(parent: ConfigObject | null, name: string): ConfigObject[]
  /** Those items that are texts; a text alone counts as a list of one. */
  texts(parent: ConfigObject | null, name: string): string[]
  text(parent: ConfigObject | null, name: string): string | null
  flag(parent: ConfigObject | null, name: string): boolean | null
  choice<const T extends string>(parent: ConfigObject | null, name: string, choices: readonly T[]): T | null
  /** `#rrggbb`. */
  color(parent: ConfigObject | null, name: string): string | null
  /** Somewhere that a reader may be sent to. */
  address(parent: ConfigObject | null, name: string): string | null
  image(parent: ConfigObject | null, name: string): string | null
  report(value: ConfigValue, message: string): void
  /** How the field is called in messages: `colors.primary`. */
  nameOf(parent: ConfigObject, name: string): string
}

// Nothing around a page is longer; what is would be shown on every one of them.
const mostTextLength = 10_000
const mostItems = 200

export function createConfigReader(config: DocsConfig): ConfigReader {
  const problems: Problem[] = []
  const prefixes = new WeakMap<ConfigObject, string>()

  function report(value: ConfigValue, message: string): void {
    const key = problemKey('config', value.file, message)
    problems.push({ rule: 'config', path: value.file, ...config.placeOf(value), message, hint: null, key })
  }
  function nameOf(parent: ConfigObject, name: string): string {
    return (prefixes.get(parent) ?? '') + name
  }
  function find(parent: ConfigObject | null, name: string): ConfigValue | null {
    const value = parent?.fields.get(name) ?? null
    return value?.kind === 'scalar' && value.value === null ? null : value
  }
  function expect(parent: ConfigObject, name: string, value: ConfigValue, wanted: string): null {
    report(value, `"${nameOf(parent, name)}" must be ${wanted}, found ${describeValue(value)}.`)
    return null
  }
  function textValue(parent: ConfigObject | null, name: string): (ConfigScalar & { value: string }) | null {
    const value = find(parent, name)
    if (value === null) return null
    if (value.kind !== 'scalar' || typeof value.value !== 'string') return expect(parent!, name, value, 'text')
    const text = value.value.trim().slice(0, mostTextLength)
    return text === '' ? null : { ...value, value: text }
  }

  const reader: ConfigReader = {
    problems,
    report,
    nameOf,
    object(parent, name) {
      const value = find(parent, name)
      if (value === null) return null
      if (value.kind !== 'object') return expect(parent!, name, value, 'an object')
      prefixes.set(value, `${nameOf(parent!, name)}.`)
      return value
    },
    list(parent, name) {
      const value = find(parent, name)
      if (value === null) return null
      return value.kind === 'list' ? value : expect(parent!, name, value, 'a list')
    },
    objects(parent, name) {
      const found: ConfigObject[] = []
      for (const [index, item] of (reader.list(parent, name)?.items.slice(0, mostItems) ?? []).entries()) {
        const path = `${nameOf(parent!, name)}[${index}]`
        if (item.kind === 'object') {
          prefixes.set(item, `${path}.`)
          found.push(item)
        } else report(item, `"${path}" must be an object, found ${describeValue(item)}.`)
      }
      return found
    },
    texts(parent, name) {
      const value = find(parent, name)
      if (value === null) return []
      if (value.kind === 'scalar' && typeof value.value === 'string') return value.value === '' ? [] : [value.value]
      if (value.kind !== 'list') return expect(parent!, name, value, 'a text, or a list of texts') ?? []
      return value.items.slice(0, mostItems).flatMap((item, index) => {
        if (item.kind === 'scalar' && typeof item.value === 'string') return item.value === '' ? [] : [item.value]
        report(item, `"${nameOf(parent!, name)}[${index}]" must be text, found ${describeValue(item)}.`)
        return []
      })
    },
    text: (parent, name) => textValue(parent, name)?.value ?? null,
    flag(parent, name) {
      const value = find(parent, name)
      if (value === null) return null
      if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value
      return expect(parent!, name, value, 'true or false')
    },
    choice(parent, name, choices) {
      const value = textValue(parent, name)
      if (value === null) return null
      const chosen = choices.find((choice) => choice === value.value)
      return chosen ?? expect(parent!, name, value, `one of ${choices.join(', ')}`)
    },
    color(parent, name) {
      const value = textValue(parent, name)
      if (value === null) return null
      return parseColor(value.value) ?? expect(parent!, name, value, 'a color such as #0d9373')
    },
    address(parent, name) {
      const value = textValue(parent, name)
      if (value === null) return null
      return safeAddress(value.value) ?? expect(parent!, name, value, 'an address that a page may link to')
    },
    image(parent, name) {
      const value = textValue(parent, name)
      if (value === null) return null
      return safeImage(value.value) ?? expect(parent!, name, value, 'the address of an image')
    },
  }
  return reader
}

export function parseColor(text: string): string | null {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text.trim()) ?? []
  const digits = long ?? short?.replace(/./g, '$&$&')
  return digits === undefined ? null : `#${digits.toLowerCase()}`
}

export function describeValue(value: ConfigValue): string {
  if (value.kind === 'list') return 'a list'
  if (value.kind === 'object') return 'an object'
  if (typeof value.value === 'string') return value.value.length > 60 ? 'text' : `"${value.value}"`
  return value.value === null ? 'null' : `${value.value}`
}
