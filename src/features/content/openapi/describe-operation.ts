import type { PageNode } from '../render/component.ts'
import { describeAuthorizations } from './describe-authorizations.ts'
import { describeChannel } from './describe-channel.ts'
import { type DescribeParts, describeContents } from './describe-contents.ts'
import { describeResponses, responseExamples } from './describe-responses.ts'
import { createSchemaDescriber } from './describe-schema.ts'
import { describeServers } from './describe-servers.ts'
import { exampleValue } from './example-value.ts'
import { findOperation } from './find-operation.ts'
import { codeBlock, component, heading, paragraph, words } from './page-nodes.ts'
import { type Operation, type Parameter, readOperation } from './read-operation.ts'
import { readSchema } from './read-schema.ts'
import { serverAddress } from './read-servers.ts'
import { contentValue, sampleRequest, usualContent } from './sample-request.ts'
import { openSpec } from './spec-cache.ts'
import { fieldOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import { createSpecMarkdown } from './spec-markdown.ts'
import { splitDescription } from './split-description.ts'
import { languageName, requestLanguages } from './write-request.ts'

export interface DescribeOptions {
  /** `WEBHOOK`, `CHANNEL` and `SCHEMA` are such too. */
  method: string
  path: string
  /** Languages of request examples; empty: the usual ones. */
  exampleLanguages: string[]
}

export interface DescribedOperation {
  nodes: PageNode[]
  title: string | null
  /** One paragraph, that the page shows below its title. */
  description: string | null
  /** Not in navigation and search. */
  isHidden: boolean
  isDeprecated: boolean
}

/**
 * A page about an operation as the components that authors write such pages with by hand, so that it reads the same and
 * has its Markdown for free. Null when the specification has no such operation.
 */
export function describeOperation(
  spec: { id: string; path: string; text: string },
  options: DescribeOptions,
): DescribedOperation | null {
  const document = openSpec(spec)
  if (!document) return null
  const markdown = createSpecMarkdown({ from: spec.path })
  const schemas = createSchemaDescriber(document, markdown)
  const parts = { document, schemas, markdown }
  const described = describe(parts, options)
  if (described && schemas.isCut) {
    const message = 'Some fields are not shown: there are too many of them on this page.'
    described.nodes.push(component('Note', {}, [paragraph(words(message))]))
  }
  return described
}

function describe(parts: DescribeParts, options: DescribeOptions): DescribedOperation | null {
  const { document } = parts
  if (options.method === 'SCHEMA') return describeNamedSchema(parts, options.path)
  if (document.kind === 'asyncapi') return describeChannel(parts, options.path)
  const found = findOperation(document, options)
  if (!found) return null
  const operation = readOperation(document, found)
  const isWebhook = options.method.toUpperCase() === 'WEBHOOK'
  const { lead, rest } = splitDescription(operation.description)
  const content = textOf(operation.mint, 'content')
  const usual = isWebhook ? operation.path : `${operation.method} ${operation.path}`
  return {
    title: operation.title ?? usual,
    description: lead,
    isHidden: fieldOf(found.operation, 'x-hidden') === true,
    isDeprecated: operation.isDeprecated,
    nodes: [
      describeEndpoint(operation, isWebhook),
      ...(operation.isDeprecated
        ? [component('Warning', {}, [paragraph(words('This operation is deprecated.'))])]
        : []),
      ...(content === null ? [] : parts.markdown.mdx(content)),
      ...(rest === null ? [] : parts.markdown.page(rest)),
      ...describeDocs(operation),
      ...(isWebhook ? [] : describeServers(parts, operation.servers)),
      ...describeAuthorizations(parts, operation.authorizations),
      ...describeParameters(parts, operation.parameters),
      ...describeBody(parts, operation, isWebhook),
      ...describeResponses(parts, operation.responses),
      ...describeCallbacks(parts, operation),
      ...(isWebhook ? payloadExample(document, operation) : requestExamples(document, operation, options)),
      ...responseExamples(document, operation.responses),
    ],
  }
}

function describeEndpoint({ method, path, servers }: Operation, isWebhook: boolean): PageNode {
  if (isWebhook) return component('Endpoint', { method: 'WEBHOOK', path })
  const server = servers[0] ? serverAddress(servers[0]) : ''
  // A part of an address, such as `/v1`, is said with the path.
  const isWhole = /^https?:\/\//i.test(server)
  return component('Endpoint', {
    method,
    path: isWhole || server === '/' ? path : `${server}${path}`,
    server: isWhole ? server : undefined,
  })
}

function describeDocs({ externalDocs }: Operation): PageNode[] {
  if (!externalDocs) return []
  const { url, title } = externalDocs
  return [paragraph(words('See also: '), { type: 'link', url, children: [words(title)] })]
}

const places: [Parameter['place'], string][] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
]

function describeParameters({ schemas }: DescribeParts, parameters: Parameter[]): PageNode[] {
  return places.flatMap(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.place === place)
    if (here.length === 0) return []
    return [heading(title), ...here.map((parameter) => schemas.field(parameter, 'request'))]
  })
}

function describeBody(parts: DescribeParts, { body }: Operation, isWebhook: boolean): PageNode[] {
  if (!body || (body.content.length === 0 && body.description === null)) return []
  const description = body.description === null ? [] : parts.markdown.field(body.description)
  const title = isWebhook ? 'Payload' : 'Body'
  return [
    heading(title),
    ...description,
    ...describeContents(parts, body.content, { use: 'request', said: body.description }),
  ]
}

function describeCallbacks(parts: DescribeParts, { callbacks }: Operation): PageNode[] {
  if (callbacks.length === 0) return []
  const { document } = parts
  return [
    heading('Callbacks'),
    ...callbacks.map(({ name, method, path, operation }) => {
      const { body, description } = readOperation(document, { operation, item: {}, method, path })
      return component('Expandable', { title: name }, [
        component('Endpoint', { method, path }),
        ...(description === null ? [] : parts.markdown.field(description)),
        ...(body ? describeContents(parts, body.content, { use: 'request', said: description }) : []),
      ])
    }),
  ]
}

function requestExamples(
  document: SpecDocument,
  operation: Operation,
  { exampleLanguages }: DescribeOptions,
): PageNode[] {
  const request = sampleRequest(document, operation)
  const written = operation.codeSamples.map(({ language, label, text }) => {
    const known = languageName(language)
    return {
      name: known,
      block: { language: known === 'curl' ? 'bash' : language.toLowerCase(), title: label ?? language, text },
    }
  })
  const made = requestLanguages(exampleLanguages)
    .filter(({ name }) => !written.some((sample) => sample.name === name))
    .map(({ language, title, write }) => ({ language, title, text: write(request) }))
  const blocks = [...written.map(({ block }) => block), ...made]
  return [component('RequestExample', {}, blocks.map(codeBlock))]
}

/** What is sent to the reader's server. */
function payloadExample(document: SpecDocument, { body }: Operation): PageNode[] {
  const content = body && usualContent(body.content)
  if (!content) return []
  const text = JSON.stringify(contentValue(document, content, 'request'), null, 2)
  return [component('RequestExample', {}, [codeBlock({ language: 'json', title: 'Payload', text })])]
}

function describeNamedSchema({ document, schemas, markdown }: DescribeParts, name: string): DescribedOperation | null {
  const { root, kind } = document
  const all = kind === 'swagger' ? objectOf(root, 'definitions') : objectOf(objectOf(root, 'components'), 'schemas')
  const value = fieldOf(all, name)
  if (value === undefined) return null
  const { facts } = readSchema(document, value)
  const { lead, rest } = splitDescription(textOf(facts, 'description'))
  const text = JSON.stringify(exampleValue(document, value, { use: 'response' }), null, 2)
  return {
    title: textOf(facts, 'title') ?? name,
    description: lead,
    isHidden: false,
    isDeprecated: fieldOf(facts, 'deprecated') === true,
    nodes: [
      ...(rest === null ? [] : markdown.page(rest)),
      ...schemas.body(value, 'response'),
      component('ResponseExample', {}, [codeBlock({ language: 'json', title: name, text })]),
    ],
  }
}
