import { type FoundOperation, httpMethods } from './find-operation.ts'
import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import { type Authorization, readAuthorizations } from './read-security.ts'
import { readServers, type Server } from './read-servers.ts'
import { fieldOf, listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import { swaggerBody, swaggerContent, swaggerSchema } from './swagger.ts'

/** An operation of any version of the format. */
export interface Operation {
  method: string
  path: string
  title: string | null
  description: string | null
  isDeprecated: boolean
  servers: Server[]
  /** Each a way to be let in; an empty one: no authorization is needed. */
  authorizations: Authorization[][]
  parameters: Parameter[]
  body: Body | null
  responses: Response[]
  callbacks: { name: string; path: string; method: string; operation: SpecObject }[]
  /** `x-mint`. */
  mint: SpecObject
  codeSamples: { language: string; label: string | null; text: string }[]
  externalDocs: { url: string; title: string } | null
}

export interface Parameter {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie'
  description: string | null
  isRequired: boolean
  isDeprecated: boolean
  schema: SpecValue | undefined
  example: SpecValue | undefined
}

export interface Body {
  description: string | null
  isRequired: boolean
  content: Content[]
}

/** What is sent or comes back in one media type. */
export interface Content {
  type: string
  schema: SpecValue | undefined
  examples: { name: string | null; value: SpecValue }[]
}

export interface Response {
  status: string
  description: string | null
  content: Content[]
  headers: { name: string; description: string | null; isRequired: boolean; schema: SpecValue | undefined }[]
}

const mostParameters = 500
const mostResponses = 60
const mostContents = 12
const mostExamples = 20
const places = ['path', 'query', 'header', 'cookie'] as const

export function readOperation(document: SpecDocument, found: FoundOperation): Operation {
  const { operation, item } = found
  const parameters = collectParameters(document, [...listOf(item, 'parameters'), ...listOf(operation, 'parameters')])
  const mint = objectOf(operation, 'x-mint')
  const metadata = objectOf(mint, 'metadata')
  const docs = objectOf(operation, 'externalDocs')
  const url = textOf(docs, 'url')
  return {
    method: found.method,
    path: found.path,
    title: textOf(metadata, 'title') ?? textOf(operation, 'summary') ?? textOf(item, 'summary'),
    description: textOf(metadata, 'description') ?? textOf(operation, 'description') ?? textOf(item, 'description'),
    isDeprecated: fieldOf(operation, 'deprecated') === true,
    servers: readServers(document, [operation, item, document.root]),
    authorizations: readAuthorizations(document, operation),
    parameters: parameters.flatMap((parameter) => readParameter(document, parameter) ?? []),
    body: document.kind === 'swagger' ? swaggerBody(document, operation, parameters) : readBody(document, operation),
    responses: readResponses(document, operation),
    callbacks: readCallbacks(document, operation),
    mint,
    codeSamples: readCodeSamples(operation),
    externalDocs: url === null ? null : { url, title: textOf(docs, 'description')?.slice(0, 200) ?? url },
  }
}

/** Those of the operation are in place of those of its path with the same name. */
function collectParameters(document: SpecDocument, written: SpecValue[]): SpecObject[] {
  const found = new Map<string, SpecObject>()
  for (const value of written.slice(0, mostParameters)) {
    const parameter = document.resolve(value)
    if (parameter) found.set(`${textOf(parameter, 'in')} ${textOf(parameter, 'name')}`, parameter)
  }
  return [...found.values()]
}

function readParameter(document: SpecDocument, parameter: SpecObject): Parameter | null {
  const name = textOf(parameter, 'name')
  const place = places.find((one) => one === fieldOf(parameter, 'in'))
  if (name === null || place === undefined || fieldOf(parameter, 'x-hidden') === true) return null
  const [content] = readContents(document, fieldOf(parameter, 'content'))
  const own = fieldOf(parameter, 'schema') ?? content?.schema
  return {
    name: name.slice(0, 300),
    place,
    description: textOf(parameter, 'description'),
    isRequired: place === 'path' || fieldOf(parameter, 'required') === true,
    isDeprecated: fieldOf(parameter, 'deprecated') === true,
    schema: own ?? (document.kind === 'swagger' ? swaggerSchema(parameter) : undefined),
    example:
      fieldOf(parameter, 'example') ?? readExamples(document, parameter)[0]?.value ?? content?.examples[0]?.value,
  }
}

function readBody(document: SpecDocument, operation: SpecObject): Body | null {
  const body = document.resolve(fieldOf(operation, 'requestBody'))
  if (!body) return null
  return {
    description: textOf(body, 'description'),
    isRequired: fieldOf(body, 'required') === true,
    content: readContents(document, fieldOf(body, 'content')),
  }
}

export function readContents(document: SpecDocument, content: SpecValue | undefined): Content[] {
  if (!isObject(content)) return []
  return document
    .entries(content)
    .slice(0, mostContents)
    .flatMap(([type, value]) => {
      const media = document.resolve(value)
      if (!media) return []
      return [{ type: type.slice(0, 120), schema: fieldOf(media, 'schema'), examples: readExamples(document, media) }]
    })
}

function readExamples(document: SpecDocument, media: SpecObject): Content['examples'] {
  const example = fieldOf(media, 'example')
  if (example !== undefined) return [{ name: null, value: example }]
  const examples = fieldOf(media, 'examples')
  if (!isObject(examples)) return []
  return document
    .entries(examples)
    .slice(0, mostExamples)
    .flatMap(([name, written]) => {
      const value = isObject(written) ? fieldOf(document.resolve(written) ?? {}, 'value') : undefined
      return value === undefined ? [] : [{ name: exampleName(document, name, written), value }]
    })
}

function exampleName(document: SpecDocument, name: string, written: SpecValue): string {
  return (textOf(document.resolve(written) ?? {}, 'summary') ?? name).slice(0, 60)
}

function readResponses(document: SpecDocument, operation: SpecObject): Response[] {
  const responses = document
    .entries(objectOf(operation, 'responses'))
    .slice(0, mostResponses)
    .filter(([status]) => !status.startsWith('x-'))
  return responses.flatMap(([status, value]) => {
    const response = document.resolve(value)
    if (!response) return []
    return {
      status: status.slice(0, 20),
      description: textOf(response, 'description'),
      content:
        document.kind === 'swagger'
          ? swaggerContent(document, operation, response)
          : readContents(document, fieldOf(response, 'content')),
      headers: readHeaders(document, response),
    }
  })
}

function readHeaders(document: SpecDocument, response: SpecObject): Response['headers'] {
  return document
    .entries(objectOf(response, 'headers'))
    .slice(0, mostParameters)
    .flatMap(([name, value]) => {
      const header = document.resolve(value)
      if (!header) return []
      return {
        name: name.slice(0, 300),
        description: textOf(header, 'description'),
        isRequired: fieldOf(header, 'required') === true,
        schema: fieldOf(header, 'schema') ?? (document.kind === 'swagger' ? swaggerSchema(header) : undefined),
      }
    })
}

function readCallbacks(document: SpecDocument, operation: SpecObject): Operation['callbacks'] {
  return document
    .entries(objectOf(operation, 'callbacks'))
    .slice(0, mostExamples)
    .flatMap(([name, value]) =>
      document
        .entries(document.resolve(value) ?? {})
        .slice(0, mostExamples)
        .flatMap(([path, written]) => {
          const item = isObject(written) ? document.resolve(written) : null
          const [method, inner] =
            document.entries(item ?? {}).find(([name, one]) => isMethod(name) && isObject(one)) ?? []
          if (method === undefined || !isObject(inner)) return []
          return {
            name: name.slice(0, 100),
            path: path.slice(0, 300),
            method: method.slice(0, 20).toUpperCase(),
            operation: inner,
          }
        }),
    )
}

const isMethod = (name: string): boolean => httpMethods.some((method) => method === name)

function readCodeSamples(operation: SpecObject): Operation['codeSamples'] {
  const written = [...listOf(operation, 'x-codeSamples'), ...listOf(operation, 'x-code-samples')]
  return written.slice(0, mostExamples).flatMap((sample) => {
    const text = isObject(sample) ? fieldOf(sample, 'source') : null
    if (!isObject(sample) || typeof text !== 'string') return []
    const language = textOf(sample, 'lang')?.slice(0, 40) ?? 'text'
    return { language, label: textOf(sample, 'label')?.slice(0, 60) ?? null, text: text.slice(0, 20_000) }
  })
}
