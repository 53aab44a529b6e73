import { STATUS_CODES } from 'node:http'
import type { PageNode } from '../render/component.ts'
import { boundedValue } from './bounded-value.ts'
import { type DescribeParts, describeContents } from './describe-contents.ts'
import { codeBlock, component, heading, words } from './page-nodes.ts'
import type { SpecValue } from './parse-spec.ts'
import type { Response } from './read-operation.ts'
import { contentValue, isJson, usualContent } from './sample-request.ts'
import type { SpecDocument } from './spec-document.ts'

/** By status; those that went well come first, as they are written mostly. */
export function describeResponses(parts: DescribeParts, responses: Response[]): PageNode[] {
  if (responses.length === 0) return []
  const [only] = responses
  if (responses.length === 1) {
    return [
      heading('Response'),
      component('Badge', badgeOf(only!), [words(statusTitle(only!))]),
      ...describeResponse(parts, only!),
    ]
  }
  const tabs = responses.map((response) =>
    component('Tab', { title: response.status }, describeResponse(parts, response)),
  )
  return [heading('Responses'), component('Tabs', { sync: false }, tabs)]
}

function badgeOf({ status }: Response) {
  return { color: /^[2d]/i.test(status) ? 'green' : /^3/.test(status) ? 'blue' : 'red' }
}

const statusTitle = ({ status }: Response): string => {
  const name = STATUS_CODES[status]
  return name ? `${status} ${name}` : status
}

function describeResponse(parts: DescribeParts, { description, content, headers, status }: Response): PageNode[] {
  const { schemas, markdown } = parts
  const text = description ?? STATUS_CODES[status] ?? null
  return [
    ...(text === null ? [] : markdown.field(text)),
    ...describeContents(parts, content, 'response'),
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

const mostBlocks = 20

/** What comes back, for each status that has a body. */
export function responseExamples(document: SpecDocument, responses: Response[]): PageNode[] {
  const blocks = responses
    .slice(0, mostBlocks)
    .flatMap(({ status, content }) => {
      const usual = usualContent(content)
      if (!usual) return []
      const { examples, type } = usual
      if (examples.length < 2) {
        const value = contentValue(document, usual, 'response')
        return value === null && examples.length === 0 ? [] : [blockOf(status, type, value)]
      }
      return examples.map(({ name, value }) =>
        blockOf(name === null ? status : `${status} ${name}`, type, boundedValue(value)),
      )
    })
    .slice(0, mostBlocks)
  return blocks.length === 0 ? [] : [component('ResponseExample', {}, blocks)]
}

function blockOf(title: string, type: string, value: SpecValue): PageNode {
  if (typeof value === 'string' && !isJson(type)) return codeBlock({ language: languageOf(type), title, text: value })
  return codeBlock({ language: 'json', title, text: JSON.stringify(value, null, 2) })
}

function languageOf(type: string): string {
  return /\b(xml|html|yaml|csv|markdown)\b/i.exec(type)?.[1]?.toLowerCase() ?? 'text'
}
