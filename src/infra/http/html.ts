/** Text that is HTML already: made by a template, never by a cast. */
export class Html {
  readonly text: string
  /** Only for what was escaped piece by piece. */
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

export type HtmlTemplate = (strings: TemplateStringsArray, ...values: HtmlValue[]) => Html

/** Templates whose values are escaped by `escapeText`, unless they are HTML themselves. Attributes must stand in double quotes. */
export function createHtmlTemplate(escapeText: (text: string) => string): HtmlTemplate {
  const textOf = (value: HtmlValue): string => {
    if (value === null || value === undefined || value === false) return ''
    if (value instanceof Html) return value.text
    if (Array.isArray(value)) return value.map(textOf).join('')
    return escapeText(String(value))
  }
  return (strings, ...values) => {
    let text = strings[0]!
    for (let index = 0; index < values.length; index++) text += textOf(values[index]) + strings[index + 1]
    return new Html(text)
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character]!)
}

export const html = createHtmlTemplate(escapeHtml)
