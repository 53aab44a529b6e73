import { STATUS_CODES } from 'node:http'
import type { PageNode } from '../render/component.ts'
import { boundedValue } from './bounded-value.ts'
import { type DescribeParts, describeContents } from './describe-contents.ts'
import { code, codeBlock, component, heading, paragraph, words } from './page-nodes.ts'
import type { SpecObject, SpecValue } from './parse-spec.ts'
import type { Response } from './read-operation.ts'
import { readSchema } from './read-schema.ts'
import { contentValue, isJson, usualContent } from './sample-request.ts'
import type { SpecDocument } from './spec-document.ts'

/** By status. Errors that all look the same are shown once. */
export function describeResponses(parts: DescribeParts, responses: Response[]): PageNode[] {
  const groups = groupResponses(parts.document, responses)
  const [only] = groups
  if (!only) return []
  if (groups.length === 1)
    return [heading('Response'), paragraph(code(statusTitle(only))), ...describeGroup(parts, only)]
  const tabs = groups.map((group) => component('Tab', { title: groupTitle(group) }, describeGroup(parts, group)))
  return [heading('Responses'), component('Tabs', { sync: false }, tabs)]
}

function groupResponses(document: SpecDocument, responses: Response[]): Response[][] {
  const groups: Response[][] = []
  const byShape = new Map<SpecObject, Response[]>()
  for (const response of responses) {
    const shape = errorShape(document, response)
    const known = shape && byShape.get(shape)
    if (known) {
      known.push(response)
      continue
    }
    const group = [response]
    groups.push(group)
    if (shape) byShape.set(shape, group)
  }
  return groups
}

/** What an error without headers of its own looks like; null for other responses. */
function errorShape(document: SpecDocument, { status, content, headers }: Response): SpecObject | null {
  const [only] = content
  if (!/^[45]/.test(status) || !only || content.length > 1 || headers.length > 0) return null
  return readSchema(document, only.schema).identity
}

/** What a status is called. Only own names: a specification may have a status called `__proto__`. */
function nameOf(status: string): string | null {
  return Object.hasOwn(STATUS_CODES, status) ? STATUS_CODES[status]! : null
}

function groupTitle(group: Response[]): string {
  const statuses = group.map(({ status }) => status)
  return statuses.length <= 3 ? statuses.join(', ') : `${statuses[0]} – ${statuses.at(-1)}`
}

function statusTitle(group: Response[]): string {
  const title = groupTitle(group)
  const name = nameOf(title)
  return name ? `${title} ${name}` : title
}

function describeGroup(parts: DescribeParts, group: Response[]): PageNode[] {
  const [first] = group
  if (!first) return []
  const { markdown, schemas } = parts
  const { content, headers, description, status } = first
  const text = description ?? nameOf(status)
  const heads = group.length > 1 ? [statusList(parts, group)] : text === null ? [] : markdown.field(text)
  return [
    ...heads,
    ...describeContents(parts, content, { use: 'response', said: text }),
    ...(headers.length === 0
      ? []
      : [
          component(
            'Expandable',
            { title: 'headers' },
            headers.map((header) => schemas.field({ ...header, place: null }, 'response')),
          ),
        ]),
  ]
}

function statusList({ markdown }: DescribeParts, group: Response[]): PageNode {
  const items = group.map(({ status, description }) => {
    const [first, ...rest] = markdown.field(description ?? nameOf(status) ?? '')
    const isParagraph = first?.type === 'paragraph'
    const line = paragraph(code(status), words(' '), ...(isParagraph ? first.children : []))
    return { type: 'listItem', spread: false, children: [line, ...(isParagraph || !first ? rest : [first, ...rest])] }
  })
  return { type: 'list', ordered: false, spread: false, children: items as never }
}

const mostBlocks = 20

/** What comes back, for each status that has a body; of errors that read the same, the first. */
export function responseExamples(document: SpecDocument, responses: Response[]): PageNode[] {
  const seen = new Set<string>()
  const blocks: PageNode[] = []
  for (const { status, content } of responses) {
    const usual = usualContent(content)
    if (!usual) continue
    const { examples, type } = usual
    const shown = examples.length > 1 ? examples : [{ name: null, value: contentValue(document, usual, 'response') }]
    for (const { name, value } of shown) {
      if (value === null && examples.length === 0) continue
      const text = exampleText(type, boundedValue(value))
      if (blocks.length >= mostBlocks || (/^[45]/.test(status) && seen.has(text))) continue
      seen.add(text)
      const title = name === null ? status : `${status} ${name}`
      blocks.push(codeBlock({ language: languageOf(type, value), title, text }))
    }
  }
  return blocks.length === 0 ? [] : [component('ResponseExample', {}, blocks)]
}

const isWritten = (type: string, value: SpecValue): value is string => typeof value === 'string' && !isJson(type)

function exampleText(type: string, value: SpecValue): string {
  return isWritten(type, value) ? value : JSON.stringify(value, null, 2)
}

function languageOf(type: string, value: SpecValue): string {
  if (!isWritten(type, value)) return 'json'
  return /\b(xml|html|yaml|csv|markdown)\b/i.exec(type)?.[1]?.toLowerCase() ?? 'text'
}
