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
  return { title: title && shorten(title), operations: [...listOperations(document)].slice(0, mostOperations) }
}

function* listOperations(document: SpecDocument): Generator<OperationOutline> {
  const { root, resolve, kind } = document
  if (kind === 'asyncapi') {
    for (const [name, value] of Object.entries(objectOf(root, 'channels'))) {
      const channel = resolve(value)
      if (channel) yield outlineOperation(channel, { method: 'CHANNEL', path: name })
    }
    return
  }
  for (const [path, value] of Object.entries(objectOf(root, 'paths'))) {
    const item = resolve(value)
    if (!item) continue
    for (const method of httpMethods) {
      const operation = resolve(fieldOf(item, method))
      if (operation) yield outlineOperation(operation, { method: method.toUpperCase(), path })
    }
  }
  for (const name of ['webhooks', 'x-webhooks']) {
    for (const [path, value] of Object.entries(objectOf(root, name))) {
      const item = resolve(value) ?? {}
      const operation = httpMethods.map((method) => resolve(fieldOf(item, method))).find(isObject)
      if (operation) yield outlineOperation(operation, { method: 'WEBHOOK', path })
    }
  }
}

function outlineOperation(operation: SpecObject, { method, path }: { method: string; path: string }): OperationOutline {
  const mint = objectOf(operation, 'x-mint')
  const [tag] = listOf(operation, 'tags')
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
    operationId: textOf(operation, 'operationId'),
    isDeprecated: fieldOf(operation, 'deprecated') === true,
    isHidden: fieldOf(operation, 'x-hidden') === true || fieldOf(operation, 'x-excluded') === true,
    href: textOf(mint, 'href'),
  }
}

/** A name, or AsyncAPI's object with one. */
function tagName(tag: unknown): string | null {
  if (typeof tag === 'string' && tag.trim() !== '') return shorten(tag.trim())
  const name = isObject(tag) ? textOf(tag, 'name') : null
  return name && shorten(name)
}

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, longestTitle)
