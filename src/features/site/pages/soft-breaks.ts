import { Html, type HtmlValue, html } from '#infra/http/html.ts'

const longWord = /[^\s]{16,}/
// Between `Create` and `Connector`; after what joins the parts of a path or a name.
const joints = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[/_.:-])(?=[^/_.:\s-])/u
const lineBreak = new Html('<wbr>')

/** A name, in which lines may end where a reader would part it: `CreateConnectorTemplate`, `core.v1.Service`. */
export function softBreaks(text: string): HtmlValue {
  if (!longWord.test(text)) return text
  return text.split(joints).map((part, index) => (index === 0 ? part : html`${lineBreak}${part}`))
}
