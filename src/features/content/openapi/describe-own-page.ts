import type { ComponentNode, PageNode } from '../render/component.ts'
import { flagProp, textProp } from '../render/components/props.ts'
import { codeBlock, component } from './page-nodes.ts'
import type { SpecValue } from './parse-spec.ts'
import type { SampleRequest } from './sample-request.ts'
import { requestLanguages } from './write-request.ts'

const operation = /^(get|post|put|patch|delete|head|options|trace|query)\s+(\S+)$/i
const mostFields = 100

/**
 * A page that describes an operation by itself (`api: POST https://…`): what stands above it, and examples of a request with
 * the fields that it has, unless it has some of its own. Null when the text names no operation.
 */
export function describeOwnPage(
  api: string,
  nodes: readonly PageNode[],
  { exampleLanguages }: { exampleLanguages: string[] },
): { before: PageNode[]; after: PageNode[] } | null {
  const [, written, address] = operation.exec(api.trim()) ?? []
  if (written === undefined || address === undefined) return null
  const method = written.toUpperCase()
  const [, server, path] = /^(https?:\/\/[^/]+)(\/.*)?$/i.exec(address) ?? [null, undefined, address]
  const before = [component('Endpoint', { method, server, path: path ?? '/' })]
  if (nodes.some((node) => node.type === 'component' && node.name === 'RequestExample')) return { before, after: [] }
  const request = requestOf({ method, url: server ? address : `https://api.example.com${address}` }, nodes)
  const blocks = requestLanguages(exampleLanguages).map(({ language, title, write }) =>
    codeBlock({ language, title, text: write(request) }),
  )
  return { before, after: [component('RequestExample', {}, blocks)] }
}

function requestOf({ method, url }: { method: string; url: string }, nodes: readonly PageNode[]): SampleRequest {
  const fields = nodes
    .filter((node): node is ComponentNode => node.type === 'component' && /^Param(?:Field)?$/.test(node.name))
    .slice(0, mostFields)
  const named = (place: string) =>
    fields.flatMap((field): [string, ComponentNode][] => {
      const name = textProp(field, place)
      return name === null ? [] : [[name.slice(0, 200), field]]
    })
  const headers = named('header').map(([name, field]): [string, string] => [name, textSample(field, `<${name}>`)])
  const query = named('query').filter(([, field]) => flagProp(field, 'required'))
  const written = query.map(([name, field]) => `${name}=${encodeURIComponent(textSample(field, name).toWellFormed())}`)
  const body = Object.fromEntries(named('body').map(([name, field]) => [name, sampleOf(field)]))
  const hasBody = Object.keys(body).length > 0
  return {
    method,
    url: written.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${written.join('&')}`,
    headers: hasBody ? [...headers, ['Content-Type', 'application/json']] : headers,
    body: hasBody ? { kind: 'json', value: body } : null,
  }
}

function textSample(field: ComponentNode, usual: string): string {
  return (textProp(field, 'placeholder', 'default', 'initialValue') ?? usual).slice(0, 200)
}

function sampleOf(field: ComponentNode): SpecValue {
  const type = textProp(field, 'type')?.toLowerCase() ?? 'string'
  if (type.endsWith('[]') || type.startsWith('array') || type.startsWith('list')) return []
  if (/^(?:integer|int|number|float)/.test(type)) return Number(textProp(field, 'default')) || 123
  if (/^bool/.test(type)) return true
  return type.startsWith('object') ? {} : textSample(field, '<string>')
}
