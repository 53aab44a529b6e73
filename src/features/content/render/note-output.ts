import type { ElementContent } from 'hast'
import type { ComponentNode, PageNode } from './component.ts'

/** What stands where something could not be shown: the reader sees that there is something, and the author what to do. */
export function noteHtml({ props, isInline }: ComponentNode): ElementContent[] {
  const message = String(props.message)
  if (isInline) {
    const text = typeof props.code === 'string' ? props.code : message
    const properties = { className: ['unrendered'], title: message }
    return [{ type: 'element', tagName: 'code', properties, children: [{ type: 'text', value: text }] }]
  }
  return [
    element('div', { className: ['callout', 'unrendered'], role: 'note', dataKind: 'warning' }, [
      element('div', { className: ['callout-body'] }, [element('p', {}, [{ type: 'text', value: message }])]),
    ]),
  ]
}

export function unknownComponent({ name }: ComponentNode): string {
  return `<${name}> is not shown: there is no such component.`
}

export function noteMarkdown({ props, isInline }: ComponentNode): PageNode[] {
  const message = String(props.message)
  if (isInline) return [{ type: 'inlineCode', value: typeof props.code === 'string' ? props.code : message }]
  const text: PageNode = { type: 'paragraph', children: [{ type: 'text', value: message }] }
  return [{ type: 'blockquote', children: [text] }]
}

function element(
  tagName: string,
  properties: Record<string, string | string[]>,
  children: ElementContent[],
): ElementContent {
  return { type: 'element', tagName, properties, children }
}
