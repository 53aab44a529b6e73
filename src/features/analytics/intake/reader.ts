import type { Verdict } from '#backends/events/view.ts'
import type { Classifier } from '../classify/classifier.ts'
import { createGenerationCache } from '../generation-cache.ts'
import type { ProjectRule } from '../settings/analytics-settings.ts'
import { createClientMemory } from './client-memory.ts'
import type { HitClient } from './hit.ts'
import { visitorOf } from './identity.ts'
import type { KeyedHash } from './keyed-hash.ts'

/** Who a hit is by. */
export interface Reader {
  visitor: bigint
  verdict: Verdict
}

/** What stays the same for the hits of one project in one period. */
export interface ReaderContext {
  /** Another one whenever something else here changes: what was remembered under the old one is then not found. */
  id: number
  secret: KeyedHash
  rules: readonly ProjectRule[]
}

export interface Readers {
  /** Who a hit is by; a client that comes again is not looked at again. */
  find(context: ReaderContext, client: HitClient, path: string): Reader
}

// A repeated client then costs one lookup. About 30 MB at the most, whoever sends whatever.
const remembered = { mostEntries: 60_000, mostCharacters: 12_000_000 }
const mostKeyLength = 2_000

export function createReaders(classifier: Classifier): Readers {
  const recent = createGenerationCache<Reader>(remembered)
  const clients = createClientMemory(remembered)

  function examine({ secret, rules }: ReaderContext, client: HitClient, path: string): Reader {
    const { visitorId, userAgent } = client
    return {
      visitor: visitorOf(secret, { visitorId, address: client.address ?? null, userAgent }),
      verdict: stated(client, classifier.listVersion) ?? classifier.classify(client, { path, rules }),
    }
  }

  function find(context: ReaderContext, client: HitClient, path: string): Reader {
    // A signature is made for one request, and says nothing of the next.
    if (client.request && 'signature' in client.request.headers) return examine(context, client, path)
    const isPlain = client.visitorId === null && !hasRulesForPaths(context)
    return isPlain ? findPlain(context, client, path) : findByKey(context, client, path)
  }

  function findPlain(context: ReaderContext, client: HitClient, path: string): Reader {
    const alike = clients.alikeOf(context.id, client)
    if (alike === null) return findByKey(context, client, path)
    const address = client.address ?? ''
    const known = alike.get(address)
    if (known !== undefined) return known
    const reader = examine(context, client, path)
    clients.remember(alike, address, reader)
    return reader
  }

  function findByKey(context: ReaderContext, client: HitClient, path: string): Reader {
    const key = keyOf(context, client, path)
    if (key.length > mostKeyLength) return examine(context, client, path)
    const known = recent.get(key)
    if (known !== undefined) return known
    const reader = examine(context, client, path)
    recent.set(key, reader)
    return reader
  }

  return { find }
}

/** Whether the answer depends on the path too. */
export function hasRulesForPaths({ rules }: ReaderContext): boolean {
  return rules.some((rule) => rule.path !== undefined)
}

function stated({ category, visitorId, userAgent }: HitClient, listVersion: string): Verdict | null {
  const rest = { client: null, verification: 'none', listVersion } as const
  if (category !== null) return { category, reason: 'stated by the caller', ...rest }
  if (visitorId !== null && userAgent === null) {
    return { category: 'human', reason: 'visitor id without a user agent', ...rest }
  }
  return null
}

/** Everything that the answer depends on. The lengths keep one field from reaching into the next. */
function keyOf(context: ReaderContext, client: HitClient, path: string): string {
  const { source, category, address, userAgent, accept, acceptLanguage, visitorId } = client
  const head = `${context.id} ${source} ${category} ${lengthOf(address)} ${lengthOf(userAgent)} ${lengthOf(accept)} ${lengthOf(acceptLanguage)} ${lengthOf(visitorId)} `
  const key = head + (address ?? '') + (userAgent ?? '') + (accept ?? '') + (acceptLanguage ?? '') + (visitorId ?? '')
  return hasRulesForPaths(context) ? key + path : key
}

/** Absent, null and empty are three different things to the classifier. */
function lengthOf(text: string | null | undefined): number | string {
  return text === undefined ? '-' : text === null ? '0' : text.length || '00'
}
