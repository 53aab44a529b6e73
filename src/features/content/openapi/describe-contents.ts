import type { PageNode } from '../render/component.ts'
import type { SchemaDescriber } from './describe-schema.ts'
import { code, codeList, component, paragraph, words } from './page-nodes.ts'
import type { Content } from './read-operation.ts'
import { readSchema } from './read-schema.ts'
import { type SpecDocument, textOf } from './spec-document.ts'
import type { SpecMarkdown } from './spec-markdown.ts'

/** What a describer of one page works with. */
export interface DescribeParts {
  document: SpecDocument
  schemas: SchemaDescriber
  markdown: SpecMarkdown
}

/** One media type as it is, several of them as tabs. */
export function describeContents(
  { schemas, markdown, document }: DescribeParts,
  contents: Content[],
  { use, said }: { use: 'request' | 'response' /** Stands above already. */; said: string | null },
): PageNode[] {
  const fieldsOf = ({ schema }: Content): PageNode[] => {
    const description = textOf(readSchema(document, schema).facts, 'description')
    const fields = schemas.body(schema, use)
    const isField = fields.length === 1 && fields[0]?.type === 'component'
    return [...(description === null || description === said || isField ? [] : markdown.field(description)), ...fields]
  }
  const [only] = contents
  if (!only) return []
  const type = (content: Content) => paragraph(words('Content type: '), code(content.type))
  if (contents.length === 1)
    return [...(/^application\/json\b/i.test(only.type) ? [] : [type(only)]), ...fieldsOf(only)]
  const isSame = contents.every(({ schema }) => readSchema(document, schema) === readSchema(document, only.schema))
  if (isSame) {
    const types = codeList(contents.map(({ type: name }) => name))
    return [paragraph(words('Content types: '), ...types), ...fieldsOf(only)]
  }
  return [
    component(
      'Tabs',
      { sync: false },
      contents.map((content) => component('Tab', { title: content.type }, fieldsOf(content))),
    ),
  ]
}
