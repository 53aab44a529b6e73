import { boundedValue } from './bounded-value.ts'
import { exampleValue } from './example-value.ts'
import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import type { Content, Operation, Parameter } from './read-operation.ts'
import { readSchema } from './read-schema.ts'
import { serverAddress } from './read-servers.ts'
import { isFile } from './schema-facts.ts'
import type { SpecDocument } from './spec-document.ts'

/** A request such as an operation takes, before it is written in some language. */
export interface SampleRequest {
  /** Upper case, letters only. */
  method: string
  url: string
  headers: [name: string, value: string][]
  body: SampleBody | null
}

export type SampleBody =
  | { kind: 'json'; value: SpecValue }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'multipart'; fields: { name: string; value: string; isFile: boolean }[] }
  | { kind: 'text'; text: string }

const mostHeaders = 30
const mostQuery = 30

export function sampleRequest(document: SpecDocument, operation: Operation): SampleRequest {
  const { servers, path, parameters, authorizations, body } = operation
  const content = body ? usualContent(body.content) : null
  const [way = []] = authorizations
  const keysIn = (place: 'header' | 'query' | 'cookie') => way.filter((one) => one.place === place)
  const query = [
    ...keysIn('query').map(({ name, sample }): [string, string] => [name, sample]),
    ...parameters
      .filter(({ place, isRequired }) => place === 'query' && isRequired)
      .map((parameter): [string, string] => [parameter.name, sampleText(document, parameter)]),
  ].slice(0, mostQuery)
  const cookies = keysIn('cookie').map(({ name, sample }) => `${name}=${sample}`)
  const headers: [string, string][] = [
    ...keysIn('header').map(({ name, sample }): [string, string] => [name, sample]),
    ...parameters
      .filter(({ place, isRequired }) => place === 'header' && isRequired)
      .map((parameter): [string, string] => [parameter.name, sampleText(document, parameter)]),
    ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as [string, string]] : []),
  ]
  const sent = content && sampleBody(document, content)
  // Of a form with files, the client itself says where its parts begin.
  if (content && sent && sent.kind !== 'multipart') headers.push(['Content-Type', contentType(content)])
  return {
    method: operation.method.replace(/[^A-Z]/gi, '').toUpperCase() || 'GET',
    url: sampleUrl({ server: servers[0] ? serverAddress(servers[0]) : '', path, query }),
    headers: headers.slice(0, mostHeaders).map(([name, value]) => [oneLine(name), oneLine(value)]),
    body: sent,
  }
}

/** Of several media types, the one that most clients send. */
export function usualContent(contents: Content[]): Content | null {
  return contents.find(({ type }) => isJson(type)) ?? contents[0] ?? null
}

export const isJson = (type: string): boolean => /^[^;]*[/+]json\b/i.test(type) || type === '*/*'

/** The value to show for one media type: given, or made up. */
export function contentValue(document: SpecDocument, content: Content, use: 'request' | 'response'): SpecValue {
  const [given] = content.examples
  return given ? boundedValue(given.value) : exampleValue(document, content.schema, { use })
}

function contentType({ type }: Content): string {
  return type.includes('*') ? 'application/json' : oneLine(type)
}

function sampleBody(document: SpecDocument, content: Content): SampleBody | null {
  const value = contentValue(document, content, 'request')
  if (/^multipart\//i.test(content.type))
    return { kind: 'multipart', fields: multipartFields(document, content, value) }
  if (/urlencoded/i.test(content.type)) return { kind: 'form', fields: textFields(value) }
  if (isJson(content.type)) return { kind: 'json', value }
  if (typeof value === 'string') return { kind: 'text', text: value === '<string>' ? '<body>' : value }
  return value === null ? null : { kind: 'text', text: JSON.stringify(value, null, 2) }
}

function multipartFields(document: SpecDocument, { schema }: Content, value: SpecValue) {
  const { properties } = readSchema(document, schema)
  return textFields(value).map(([name, text]) => {
    const isSent = isFile(readSchema(document, properties.get(name)))
    return { name, value: isSent ? 'example-file' : text, isFile: isSent }
  })
}

function textFields(value: SpecValue): [string, string][] {
  const entries = isObject(value) ? Object.entries(value satisfies SpecObject) : []
  return entries.slice(0, 50).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)])
}

function sampleText(document: SpecDocument, { schema, example }: Parameter): string {
  const value = example ?? exampleValue(document, schema, { use: 'request' })
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one !== 'object')
      .join(',')
      .slice(0, 500)
  if (typeof value === 'object') return value === null ? '<value>' : '{}'
  return String(value).slice(0, 500)
}

function sampleUrl({ server, path, query }: { server: string; path: string; query: [string, string][] }): string {
  const base = /^[a-z][a-z\d+.-]*:\/\//i.test(server)
    ? server
    : `https://api.example.com${server.startsWith('/') ? server : ''}`
  const written = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const address = `${base}${path.startsWith('/') || path === '' ? '' : '/'}${path}`
  const joined = written === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${written}`
  return oneLine(joined).replaceAll(' ', '%20')
}

/** Signs such as `<` and `{` stay: what stands between them is for the reader to fill in. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text).replace(/%(3C|3E|7B|7D|2C|3A|2F)/g, (sign) => decodeURIComponent(sign))
  } catch {
    // Half of a character.
    return ''
  }
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
