import { httpMethods } from './find-operation.ts'
import { isObject, type SpecObject } from './parse-spec.ts'
import { fieldOf, listOf, objectOf, readSpecDocument, type SpecDocument, textOf } from './spec-document.ts'
import type { OperationOutline, SpecOutline } from './spec-outline.ts'

// The largest specifications of vendors have some thousand operations.
const mostOperations = 20_000
const longestTitle = 300

/** What navigation needs of a specification; null when the file is none. Never throws for what it holds. */
export function outlineSpec({ text }: { path: string; text: string }): SpecOutline | null {
  const document = readSpecDocument(text)
  if (!document) return null
  const title = textOf(objectOf(document.root, 'info'), 'title')
  return {
    title: title && shorten(title),
    operations: inOrderOfTags(document, take(listOperations(document), mostOperations)),
  }
}

function* listOperations(document: SpecDocument): Generator<OperationOutline> {
  const { root, resolve, kind } = document
  const groups = groupTitles(document)
  const outlineOne = (operation: SpecObject, at: { method: string; path: string }): OperationOutline[] =>
    fieldOf(operation, 'x-excluded') === true ? [] : [outlineOperation(operation, { ...at, groups })]
  if (kind === 'asyncapi') {
    for (const [name, value] of Object.entries(objectOf(root, 'channels'))) {
      const channel = resolve(value)
      if (channel) yield* outlineOne(channel, { method: 'CHANNEL', path: name })
    }
    return
  }
  for (const [path, value] of Object.entries(objectOf(root, 'paths'))) {
    const item = resolve(value)
    if (!item) continue
    for (const method of httpMethods) {
      const operation = resolve(fieldOf(item, method))
      if (operation) yield* outlineOne(operation, { method: method.toUpperCase(), path })
    }
  }
  for (const name of ['webhooks', 'x-webhooks']) {
    for (const [path, value] of Object.entries(objectOf(root, name))) {
      const item = resolve(value) ?? {}
      const operation = httpMethods.map((method) => resolve(fieldOf(item, method))).find(isObject)
      if (operation) yield* outlineOne(operation, { method: 'WEBHOOK', path })
    }
  }
  const schemas = kind === 'swagger' ? objectOf(root, 'definitions') : objectOf(objectOf(root, 'components'), 'schemas')
  for (const name of Object.keys(schemas)) {
    yield { ...outlineOperation({}, { method: 'SCHEMA', path: name, groups }), title: shorten(name), isHidden: true }
  }
}

function outlineOperation(
  operation: SpecObject,
  { method, path, groups }: { method: string; path: string; groups: Map<string, string> },
): OperationOutline {
  const mint = objectOf(operation, 'x-mint')
  const [tag] = listOf(operation, 'tags')
  const groupTitle = groups.get(tagName(tag) ?? '')
  const title =
    textOf(objectOf(mint, 'metadata'), 'title') ??
    textOf(operation, 'summary') ??
    textOf(operation, 'title') ??
    (method === 'WEBHOOK' || method === 'CHANNEL' ? path : `${method} ${path}`)
  return {
    method,
    path,
    title: shorten(title),
    tag: tagName(tag),
    ...(groupTitle === undefined ? {} : { groupTitle }),
    operationId: textOf(operation, 'operationId'),
    isDeprecated: fieldOf(operation, 'deprecated') === true,
    isHidden: fieldOf(operation, 'x-hidden') === true,
    href: textOf(mint, 'href'),
  }
}

function groupTitles({ root }: SpecDocument): Map<string, string> {
  const titles = new Map<string, string>()
  for (const tag of listOf(root, 'tags').slice(0, mostOperations)) {
    const title = isObject(tag) ? textOf(tag, 'x-group') : null
    if (isObject(tag) && title !== null) titles.set(tagName(tag) ?? '', shorten(title))
  }
  return titles
}

/** A specification that lists its tags says in which order they are to be read; those that it does not list come last. */
function inOrderOfTags({ root }: SpecDocument, operations: OperationOutline[]): OperationOutline[] {
  const order = new Map(
    listOf(root, 'tags')
      .slice(0, mostOperations)
      .map((tag, index) => [tagName(tag), index]),
  )
  const placeOf = ({ tag }: OperationOutline) => order.get(tag) ?? order.size
  return operations.sort((a, b) => placeOf(a) - placeOf(b))
}

/** A name, or AsyncAPI's object with one. */
function tagName(tag: unknown): string | null {
  if (typeof tag === 'string' && tag.trim() !== '') return shorten(tag.trim())
  const name = isObject(tag) ? textOf(tag, 'name') : null
  return name && shorten(name)
}

function take<T>(all: Iterable<T>, most: number): T[] {
  const taken: T[] = []
  for (const one of all) {
    if (taken.length >= most) break
    taken.push(one)
  }
  return taken
}

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, longestTitle)
