import { type MdastNode, markdownToMdast, mdxToMdast } from 'satteri'

export interface TreeOptions {
  isMdx: boolean
  math: boolean
  /** `:::note`, `:name[x]`. */
  directive?: boolean
}

/** Throws as the parser does. */
export function parseTree(text: string, { isMdx, math, directive = false }: TreeOptions): MdastNode {
  return (isMdx ? mdxToMdast : markdownToMdast)(text, { features: { headingAttributes: true, math, directive } })
}

// The parser's stack holds some thousand levels, and 100 elements in braces inside each other keep it busy for ever.
const mostBraces = 60
const mostBrackets = 500

/**
 * Turns away the plainest of what would take the parser down, and this process with it. It does not look into strings
 * and comments, so it is no wall: pages of others are parsed in a process that may be lost.
 */
export function nestsTooDeeply(source: string): boolean {
  let braces = 0
  let brackets = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x7b) braces++
    else if (code === 0x7d) braces = Math.max(0, braces - 1)
    else if (code === 0x28 || code === 0x5b) brackets++
    else if (code === 0x29 || code === 0x5d) brackets = Math.max(0, brackets - 1)
    if (braces > mostBraces || brackets > mostBrackets) return true
  }
  return false
}
