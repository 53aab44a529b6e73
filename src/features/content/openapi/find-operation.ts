import { isObject, type SpecObject } from './parse-spec.ts'
import { fieldOf, objectOf, type SpecDocument } from './spec-document.ts'

export const httpMethods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const

export interface FoundOperation {
  operation: SpecObject
  /** What it stands in: parameters and servers there are its own too. */
  item: SpecObject
  /** As a client sends it: `POST` of a webhook as well. */
  method: string
  path: string
}

/** Exactly as named; else without regard to names of parameters and a slash at the end. Null when there is none. */
export function findOperation(
  document: SpecDocument,
  { method, path }: { method: string; path: string },
): FoundOperation | null {
  const isWebhook = method.toUpperCase() === 'WEBHOOK'
  for (const name of isWebhook ? ['webhooks', 'x-webhooks'] : ['paths']) {
    const items = objectOf(document.root, name)
    const exact = fieldOf(items, path)
    const found =
      (exact !== undefined && operationOf(path, exact)) ||
      document
        .entries(items)
        .filter(([other]) => looseKey(other) === looseKey(path))
        .map(([other, item]) => operationOf(other, item))
        .find((one) => one !== null)
    if (found) return found
  }
  return null

  function operationOf(at: string, value: unknown): FoundOperation | null {
    const item = isObject(value) ? document.resolve(value) : null
    if (!item) return null
    for (const name of isWebhook ? httpMethods : [method.toLowerCase()]) {
      const operation = document.resolve(fieldOf(item, name))
      if (operation) return { operation, item, method: name.toUpperCase(), path: at }
    }
    return null
  }
}

export function looseKey(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1')
}
