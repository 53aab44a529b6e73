/** What an author says of a block behind its language: ```` ```js app.js {1,3-4} lines ````. */
export interface FenceMeta {
  title: string | null
  icon: string | null
  highlighted: number[]
  focused: number[]
  hasLineNumbers: boolean
  wraps: boolean
  isExpandable: boolean
  hidesCopy: boolean
  /** Anything else of the form `name=value`. */
  options: Record<string, string>
}

const longestMeta = 1_000
const mostLines = 20_000
// `{1,3-4}`, `name="…"`, `name={…}`, `name=word`, or a word.
const part = /\{([^{}]*)\}|([\w-]+)=(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|(\S*))|\S+/g

export function parseFenceMeta(meta: string | null | undefined): FenceMeta {
  const options: Record<string, string> = Object.create(null)
  const flags = new Set<string>()
  const words: string[] = []
  const highlighted: number[] = []
  for (const [whole, lines, name, ...values] of (meta ?? '').slice(0, longestMeta).matchAll(part)) {
    if (lines !== undefined) highlighted.push(...parseLineNumbers(lines))
    else if (name !== undefined) options[name.toLowerCase()] = values.find((value) => value !== undefined) ?? ''
    else if (knownFlags.has(whole)) flags.add(whole)
    else words.push(whole)
  }
  const isSet = (name: string) => flags.has(name) || (options[name] !== undefined && options[name] !== 'false')
  const { title, filename, icon, highlight, focus, lines: _lines, wrap: _wrap, theme: _theme, ...rest } = options
  return {
    title:
      (title ??
        filename ??
        words
          .join(' ')
          .replace(/^(["'])(.*)\1$/, '$2')
          .trim()) ||
      null,
    icon: icon || null,
    highlighted: [...highlighted, ...parseLineNumbers(highlight ?? '')],
    focused: parseLineNumbers(focus ?? ''),
    hasLineNumbers: isSet('lines'),
    wraps: isSet('wrap'),
    isExpandable: isSet('expandable'),
    hidesCopy: isSet('nocopy'),
    options: rest,
  }
}

const knownFlags = new Set(['lines', 'wrap', 'expandable', 'nocopy', 'twoslash'])

/** `1,3-5`, also in brackets. */
export function parseLineNumbers(text: string): number[] {
  const numbers: number[] = []
  for (const [, from, to] of text.slice(0, longestMeta).matchAll(/(\d{1,6})(?:\s*-\s*(\d{1,6}))?/g)) {
    const last = Math.min(Number(to ?? from), mostLines)
    for (let line = Number(from); line <= last && numbers.length < mostLines; line++) numbers.push(line)
  }
  return numbers
}
