import type { KeyObject } from 'node:crypto'
import type { Verdict } from '#backends/events/view.ts'
import type { Classifier } from '../classify/classifier.ts'
import { createGenerationCache } from '../generation-cache.ts'
import type { ProjectRule } from '../settings/analytics-settings.ts'
import type { Hit } from './hit.ts'
import { visitorOf } from './identity.ts'

/** Who a hit is by. */
export interface Reader {
  visitor: bigint
  verdict: Verdict
}

/** What stays the same for the hits of one project in one period. */
export interface ReaderContext {
  /** Another one whenever something else here changes: what was remembered under the old one is then not found. */
  id: number
  secret: KeyObject
  rules: readonly ProjectRule[]
}

/** Who a client is, once that was found: for callers that bring many hits of one. */
export interface ClientSlot {
  context: ReaderContext | null
  reader: Reader | null
}

export type FindReader = (context: ReaderContext, hit: Hit, path: string) => Reader

// A repeated client then costs one lookup. About 30 MB at the most, whoever sends whatever.
const remembered = { mostEntries: 60_000, mostCharacters: 12_000_000 }
const mostKeyLength = 2_000

/** Finds out who a hit is by; a client that comes again is not classified again. */
export function createFindReader(classifier: Classifier): FindReader {
  const recent = createGenerationCache<Reader>(remembered)

  function examine({ secret, rules }: ReaderContext, hit: Hit, path: string): Reader {
    const { visitorId, userAgent } = hit
    return {
      visitor: visitorOf(secret, { visitorId, address: hit.address ?? null, userAgent }),
      verdict: stated(hit, classifier.listVersion) ?? classifier.classify(hit, { path, rules }),
    }
  }

  function find(context: ReaderContext, hit: Hit, path: string): Reader {
    // A signature is made for one request, and says nothing of the next.
    if (hit.request && 'signature' in hit.request.headers) return examine(context, hit, path)
    const key = keyOf(context, hit, path)
    if (key.length > mostKeyLength) return examine(context, hit, path)
    const known = recent.get(key)
    if (known !== undefined) return known
    const reader = examine(context, hit, path)
    recent.set(key, reader)
    return reader
  }

  return (context, hit, path) => {
    const { client } = hit
    if (client === undefined || context.rules.some(isForPaths)) return find(context, hit, path)
    if (client.context !== context || client.reader === null) {
      client.reader = find(context, hit, path)
      client.context = context
    }
    return client.reader
  }
}

const isForPaths = (rule: ProjectRule) => rule.path !== undefined

function stated({ category, visitorId, userAgent }: Hit, listVersion: string): Verdict | null {
  const rest = { client: null, verification: 'none', listVersion } as const
  if (category !== null) return { category, reason: 'stated by the caller', ...rest }
  if (visitorId !== null && userAgent === null) {
    return { category: 'human', reason: 'visitor id without a user agent', ...rest }
  }
  return null
}

/** Everything that the answer depends on. The lengths keep one field from reaching into the next. */
function keyOf({ id, rules }: ReaderContext, hit: Hit, path: string): string {
  const { source, category, address, userAgent, accept, acceptLanguage, visitorId } = hit
  const head = `${id} ${source} ${category} ${lengthOf(address)} ${lengthOf(userAgent)} ${lengthOf(accept)} ${lengthOf(acceptLanguage)} ${lengthOf(visitorId)} `
  const key = head + (address ?? '') + (userAgent ?? '') + (accept ?? '') + (acceptLanguage ?? '') + (visitorId ?? '')
  return rules.some(isForPaths) ? key + path : key
}

/** Absent, null and empty are three different things to the classifier. */
function lengthOf(text: string | null | undefined): number | string {
  return text === undefined ? '-' : text === null ? '0' : text.length || '00'
}
