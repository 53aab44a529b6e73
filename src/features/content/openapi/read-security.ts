import { isObject, type SpecObject } from './parse-spec.ts'
import { fieldOf, listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import { swaggerScheme } from './swagger.ts'

/** One thing that has to be sent to be let in. */
export interface Authorization {
  kind: 'bearer' | 'basic' | 'key' | 'oauth' | 'other'
  /** Where it is sent: name of the header, and so on. */
  name: string
  place: 'header' | 'query' | 'cookie'
  /** What stands for the secret in examples. */
  sample: string
  /** In the specification's own words. */
  description: string | null
  flows: { name: string; authorizationUrl: string | null; tokenUrl: string | null }[]
  scopes: { name: string; description: string | null }[]
}

const mostWays = 10
const mostScopes = 100

/** What the operation asks for, or the whole specification. Each entry is a way by itself. */
export function readAuthorizations(document: SpecDocument, operation: SpecObject): Authorization[][] {
  const own = fieldOf(operation, 'security')
  const ways = Array.isArray(own) ? own : listOf(document.root, 'security')
  return ways.slice(0, mostWays).flatMap((way) => {
    if (!isObject(way)) return []
    const names = document.entries(way).slice(0, mostWays)
    return [names.flatMap(([name, scopes]) => readScheme(document, name, Array.isArray(scopes) ? scopes : []))]
  })
}

function readScheme(document: SpecDocument, name: string, asked: unknown[]): Authorization[] {
  const { root } = document
  const isSwagger = document.kind === 'swagger'
  const schemes = isSwagger
    ? objectOf(root, 'securityDefinitions')
    : objectOf(objectOf(root, 'components'), 'securitySchemes')
  const found = document.resolve(fieldOf(schemes, name))
  if (!found) return []
  const scheme = isSwagger ? swaggerScheme(found) : found
  const description = textOf(scheme, 'description')
  const plain = { description, flows: [], scopes: [], name: 'Authorization', place: 'header' as const }
  switch (textOf(scheme, 'type')?.toLowerCase()) {
    case 'http': {
      const kind = textOf(scheme, 'scheme')?.toLowerCase()
      if (kind === 'basic') return [{ ...plain, kind: 'basic', sample: 'Basic <credentials>' }]
      if (kind === 'bearer' || kind === undefined)
        return [{ ...plain, kind: 'bearer', sample: `Bearer ${sampleOf(scheme, '<token>')}` }]
      return [{ ...plain, kind: 'other', sample: `${kind.slice(0, 40)} <credentials>` }]
    }
    case 'apikey': {
      const place = (['query', 'cookie', 'header'] as const).find((one) => one === fieldOf(scheme, 'in')) ?? 'header'
      const key = textOf(scheme, 'name')?.slice(0, 200) ?? name.slice(0, 200)
      return [{ ...plain, kind: 'key', name: key, place, sample: sampleOf(scheme, '<api-key>') }]
    }
    case 'oauth2':
    case 'openidconnect':
      return [{ ...plain, kind: 'oauth', sample: 'Bearer <token>', ...readFlows(document, scheme, asked) }]
    default:
      return [{ ...plain, kind: 'other', name: name.slice(0, 100), sample: '<credentials>' }]
  }
}

const sampleOf = (scheme: SpecObject, usual: string): string => textOf(scheme, 'x-default')?.slice(0, 200) ?? usual

function readFlows(
  document: SpecDocument,
  scheme: SpecObject,
  asked: unknown[],
): Pick<Authorization, 'flows' | 'scopes'> {
  const found = document.entries(objectOf(scheme, 'flows')).slice(0, mostWays)
  const known = new Map<string, string | null>()
  const flows = found.flatMap(([name, flow]) => {
    if (!isObject(flow)) return []
    for (const [scope, text] of document.entries(objectOf(flow, 'scopes')).slice(0, mostScopes)) {
      known.set(scope, typeof text === 'string' && text !== '' ? text.slice(0, 500) : null)
    }
    return [
      {
        name: name.slice(0, 60),
        authorizationUrl: textOf(flow, 'authorizationUrl'),
        tokenUrl: textOf(flow, 'tokenUrl'),
      },
    ]
  })
  const scopes = asked.filter((scope): scope is string => typeof scope === 'string').slice(0, mostScopes)
  return { flows, scopes: scopes.map((name) => ({ name: name.slice(0, 200), description: known.get(name) ?? null })) }
}
