import { readPageFields } from './page-fields.ts'
import type { CodeBlock, PageIndex, RenderedPage, RenderInput } from './rendered-page.ts'

const message = 'This page could not be shown: it is too much work to read. Make it smaller, or nest it less.'

/** In place of a page that took its process down, of which nothing is read here. */
export function unshownIndex({ path }: RenderInput): PageIndex {
  return { fields: readPageFields({}), headings: [], sections: [], warnings: [{ path, line: null, message }] }
}

export function unshownPage(): RenderedPage {
  const html = `<div class="callout unrendered" role="note" data-kind="warning"><div class="callout-body"><p>${message}</p></div></div>`
  return { html: { parts: [html] }, markdown: { parts: [`> ${message}\n`] }, needsMermaid: false, isLost: true }
}

/** Code without colours and marks. */
export function plainCode({ text }: CodeBlock): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
