import { isObject, type SpecObject } from './parse-spec.ts'
import { listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import { swaggerServer } from './swagger.ts'

export interface Server {
  /** With `{variables}` in it. */
  url: string
  description: string | null
  variables: { name: string; value: string; options: string[]; description: string | null }[]
}

const mostServers = 20
const longestUrl = 500

/** Of the innermost that names any. */
export function readServers(document: SpecDocument, places: SpecObject[]): Server[] {
  if (document.kind === 'swagger') {
    const url = swaggerServer(document.root)
    return url === null ? [] : [{ url: url.slice(0, longestUrl), description: null, variables: [] }]
  }
  const servers = places.map((place) => listOf(place, 'servers')).find((list) => list.length > 0) ?? []
  return servers.slice(0, mostServers).flatMap((server) => {
    const url = isObject(server) ? textOf(server, 'url') : null
    if (!isObject(server) || url === null) return []
    return {
      url: url.slice(0, longestUrl).replace(/\/+$/, ''),
      description: textOf(server, 'description'),
      variables: document
        .entries(objectOf(server, 'variables'))
        .slice(0, mostServers)
        .flatMap(([name, value]) => (isObject(value) ? readVariable(name, value) : [])),
    }
  })
}

function readVariable(name: string, variable: SpecObject): Server['variables'] {
  const options = listOf(variable, 'enum').filter((option): option is string => typeof option === 'string')
  const value = textOf(variable, 'default') ?? options[0]
  if (value === undefined) return []
  const description = textOf(variable, 'description')
  return [{ name: name.slice(0, 100), value: value.slice(0, 200), options: options.slice(0, 30), description }]
}

/** The address with the usual values of its variables. */
export function serverAddress({ url, variables }: Server): string {
  return variables
    .reduce((address, { name, value }) => address.split(`{${name}}`).join(value), url)
    .slice(0, longestUrl)
}
