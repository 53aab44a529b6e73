import { type Item, parseDictionary, serialize, serializeParameters } from './structured-field.ts'

/** A request as a signature is made over it. Names of headers in lower case. */
export interface SignedRequest {
  method: string
  /** Absolute, or a path with its query. */
  url: string
  headers: Record<string, string | string[] | undefined>
}

/**
 * The text that is signed (RFC 9421, section 2.5): one line for each component, and last the parameters. Throws a plain
 * error for a component that the request does not have or that we do not know.
 */
export function signatureBase(request: SignedRequest, components: Item[], parameters: string): string {
  const lines = components.map((component) => {
    const name = `${serialize(component.value)}${serializeParameters(component.parameters)}`
    return `${name}: ${componentValue(request, component)}`
  })
  if (new Set(lines).size < lines.length) throw new Error('a component is there twice')
  return [...lines, `"@signature-params": ${parameters}`].join('\n')
}

export function serializeComponents(components: Item[]): string {
  const items = components.map(({ value, parameters }) => serialize(value) + serializeParameters(parameters))
  return `(${items.join(' ')})`
}

function componentValue(request: SignedRequest, { value: name, parameters }: Item): string {
  if (typeof name !== 'string') throw new Error('a component without a name')
  if (name.startsWith('@')) {
    if (parameters.size > 0) throw new Error(`${name} with parameters`)
    return derivedValue(request, name)
  }
  const field = fieldValue(request, name)
  if (parameters.size === 0) return field
  // Of a dictionary, only the member of this name.
  const key = parameters.get('key')
  if (parameters.size > 1 || typeof key !== 'string') throw new Error(`${name} with parameters that are not known`)
  const member = parseDictionary(field).get(key)
  if (!member || Array.isArray(member.value)) throw new Error(`${name} without the member ${key}`)
  return serialize(member.value) + serializeParameters(member.parameters)
}

function fieldValue({ headers }: SignedRequest, name: string): string {
  const value = headers[name]
  if (value === undefined) throw new Error(`there is no header ${name}`)
  return (Array.isArray(value) ? value : [value]).map((line) => line.trim().replace(/\s*[\r\n]+\s*/g, ' ')).join(', ')
}

function derivedValue(request: SignedRequest, name: string): string {
  const { scheme, authority, path, query } = partsOf(request)
  switch (name) {
    case '@method':
      return request.method.toUpperCase()
    case '@authority':
      return authority
    case '@scheme':
      return scheme
    case '@path':
      return path
    case '@query':
      return query === '' ? '?' : query
    case '@request-target':
      return path + query
    case '@target-uri':
      return `${scheme}://${authority}${path}${query}`
    default:
      throw new Error(`${name.slice(0, 30)} is not known`)
  }
}

/** Cut by hand: a URL parser would tidy up the path, and the signature is over the path as it came. */
function partsOf({ url, headers }: SignedRequest) {
  const [, given, host, target = ''] = /^(?:([a-z]+):\/\/([^/?#]*))?([^#]*)/i.exec(url) ?? []
  // Behind a proxy only the outside is https, and agents sign nothing else.
  const scheme = given?.toLowerCase() ?? 'https'
  const named = host ?? (typeof headers.host === 'string' ? headers.host : undefined)
  if (named === undefined || named === '') throw new Error('there is no host')
  const authority = named.toLowerCase().replace(scheme === 'http' ? /:80$/ : /:443$/, '')
  const at = target.indexOf('?')
  const path = (at === -1 ? target : target.slice(0, at)) || '/'
  return { scheme, authority, path, query: at === -1 ? '' : target.slice(at) }
}
