import type { PageNode } from '../render/component.ts'
import { boundedValue } from './bounded-value.ts'
import type { DescribeParts } from './describe-contents.ts'
import type { DescribedOperation } from './describe-operation.ts'
import { exampleValue } from './example-value.ts'
import { codeBlock, component, heading } from './page-nodes.ts'
import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import { nameOf } from './read-schema.ts'
import { fieldOf, listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import { splitDescription } from './split-description.ts'

interface Message {
  title: string
  description: string | null
  payload: SpecValue | undefined
  headers: SpecValue | undefined
  example: SpecValue | undefined
}

const mostMessages = 50

/** A channel of AsyncAPI: what is sent over it and what comes back. */
export function describeChannel(parts: DescribeParts, name: string): DescribedOperation | null {
  const { document, markdown, schemas } = parts
  const channel = document.resolve(fieldOf(objectOf(document.root, 'channels'), name))
  if (!channel) return null
  const { lead, rest } = splitDescription(textOf(channel, 'description'))
  const directions = readDirections(document, channel)
  const server = serverOf(document)
  return {
    title: textOf(channel, 'title') ?? textOf(channel, 'summary') ?? name,
    description: lead,
    isHidden: fieldOf(channel, 'x-hidden') === true,
    isDeprecated: fieldOf(channel, 'deprecated') === true,
    nodes: [
      component('Endpoint', {
        method: server?.protocol ?? 'channel',
        path: textOf(channel, 'address') ?? name,
        server: server?.address,
      }),
      ...(rest === null ? [] : markdown.page(rest)),
      ...describeParameters(parts, channel),
      ...directions.flatMap(({ title, messages }) => [heading(title), ...messages.flatMap(describeMessage)]),
      ...messageExamples(
        document,
        directions.flatMap(({ messages }) => messages),
      ),
    ],
  }

  function describeMessage({ title, description, payload, headers }: Message): PageNode[] {
    const inner: PageNode[] = [
      ...(description === null ? [] : markdown.field(description)),
      ...schemas.body(payload, 'response'),
      ...(headers === undefined
        ? []
        : [component('Expandable', { title: 'headers' }, schemas.body(headers, 'response'))]),
    ]
    return [heading(title, 3), ...inner]
  }
}

function describeParameters({ document, schemas }: DescribeParts, channel: SpecObject): PageNode[] {
  const fields = document
    .entries(objectOf(channel, 'parameters'))
    .slice(0, mostMessages)
    .flatMap(([name, value]) => {
      const parameter = document.resolve(value)
      if (!parameter) return []
      // A schema of its own in version 2; in version 3 it is one itself.
      const schema = fieldOf(parameter, 'schema') ?? { ...parameter, type: 'string' }
      const description = textOf(parameter, 'description')
      return [schemas.field({ name, place: 'path', schema, isRequired: true, description }, 'request')]
    })
  return fields.length === 0 ? [] : [heading('Parameters'), ...fields]
}

/** From the reader's side: what the application receives is what a reader sends. */
function readDirections(document: SpecDocument, channel: SpecObject): { title: string; messages: Message[] }[] {
  const sent: SpecValue[] = []
  const received: SpecValue[] = []
  const own = objectOf(channel, 'messages')
  for (const [, value] of document.entries(objectOf(document.root, 'operations')).slice(0, 2_000)) {
    const operation = document.resolve(value)
    if (!operation || document.resolve(fieldOf(operation, 'channel')) !== channel) continue
    const messages = listOf(operation, 'messages')
    const all = messages.length > 0 ? messages : Object.values(own)
    ;(fieldOf(operation, 'action') === 'receive' ? sent : received).push(...all.slice(0, mostMessages))
  }
  // Version 2 has them in the channel, and names them from the reader's side already.
  for (const [name, list] of [
    ['publish', sent],
    ['subscribe', received],
  ] as const) {
    const message = fieldOf(objectOf(channel, name), 'message')
    const options = isObject(message) ? listOf(message, 'oneOf') : []
    if (options.length > 0) list.push(...options.slice(0, mostMessages))
    else if (message !== undefined) list.push(message)
  }
  const found = [
    { title: 'Send', messages: readMessages(document, sent) },
    { title: 'Receive', messages: readMessages(document, received) },
  ].filter(({ messages }) => messages.length > 0)
  if (found.length > 0) return found
  const messages = readMessages(document, Object.values(own))
  return messages.length > 0 ? [{ title: 'Messages', messages }] : []
}

function readMessages(document: SpecDocument, written: SpecValue[]): Message[] {
  const seen = new Set<SpecObject>()
  return written.slice(0, mostMessages).flatMap((value) => {
    const message = document.resolve(value)
    if (!message || seen.has(message)) return []
    seen.add(message)
    const ref = isObject(value) ? textOf(value, '$ref') : null
    const payload = fieldOf(message, 'payload')
    // A schema in another format has it one level down.
    const inner = isObject(payload) && isObject(fieldOf(payload, 'schema')) ? fieldOf(payload, 'schema') : payload
    const [first] = listOf(message, 'examples')
    const title =
      textOf(message, 'title') ?? textOf(message, 'name') ?? (ref === null ? null : nameOf(ref)) ?? 'Message'
    return [
      {
        title: title.slice(0, 100),
        description: textOf(message, 'description') ?? textOf(message, 'summary'),
        payload: inner,
        headers: fieldOf(message, 'headers'),
        example: isObject(first) ? fieldOf(first, 'payload') : undefined,
      },
    ]
  })
}

function messageExamples(document: SpecDocument, messages: Message[]): PageNode[] {
  const seen = new Set<string>()
  const blocks = messages.flatMap(({ title, example, payload }) => {
    if (payload === undefined || seen.has(title) || seen.size >= 20) return []
    seen.add(title)
    const value = example === undefined ? exampleValue(document, payload, { use: 'response' }) : boundedValue(example)
    return [codeBlock({ language: 'json', title, text: JSON.stringify(value, null, 2) })]
  })
  return blocks.length === 0 ? [] : [component('ResponseExample', {}, blocks)]
}

function serverOf(document: SpecDocument): { address: string; protocol: string } | null {
  const [, value] = document.entries(objectOf(document.root, 'servers'))[0] ?? []
  const server = document.resolve(value)
  if (!server) return null
  const protocol = (textOf(server, 'protocol') ?? 'wss').slice(0, 20)
  const host = textOf(server, 'host') ?? textOf(server, 'url')?.replace(/^[a-z]+:\/\//i, '') ?? ''
  return { address: `${protocol}://${host}${textOf(server, 'pathname') ?? ''}`.slice(0, 300), protocol }
}
