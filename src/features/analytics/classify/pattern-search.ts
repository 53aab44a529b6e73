/**
 * Which of many patterns is the first on its list to match a text; -1 for none. Nearly all patterns of user-agent lists
 * are plain text, so the text is walked once, and at each place only those are compared that start with the three
 * characters found there. Patterns that start with ^ are tried at the start alone, and the few that are left one by one.
 */
export function createPatternSearch(patterns: readonly string[]): (text: string) => number {
  const plain = new Map<number, { text: string; place: number }[]>()
  const expressions: { expression: RegExp; place: number }[] = []
  for (const [place, pattern] of patterns.entries()) {
    const text = plainText(pattern)
    if (text === null) expressions.push({ expression: new RegExp(pattern), place })
    else {
      const key = threeAt(text, 0)
      plain.set(key, [...(plain.get(key) ?? []), { text, place }])
    }
  }
  // Two expressions that say whether any of them matches; which one is asked only then.
  const all = expressions.map(({ expression }) => expression.source)
  const atStart = all.filter(isAnchored).map((source) => source.slice(1))
  const anywhere = all.filter((source) => !isAnchored(source))
  const any = [new RegExp(`^(?:${atStart.join('|') || '(?!)'})`), new RegExp(anywhere.join('|') || '(?!)')]
  return (text) => {
    let first = patterns.length
    for (let start = 0; start + 3 <= text.length; start++) {
      const candidates = plain.get(threeAt(text, start))
      if (candidates === undefined) continue
      for (const { text: wanted, place } of candidates) {
        if (place < first && text.startsWith(wanted, start)) first = place
      }
    }
    if (any.some((expression) => expression.test(text))) {
      for (const { expression, place } of expressions) if (place < first && expression.test(text)) first = place
    }
    return first === patterns.length ? -1 : first
  }
}

/** Starts with ^, in all its alternatives. */
function isAnchored(source: string): boolean {
  return source.startsWith('^') && !source.replace(/\([^()]*\)/g, '').includes('|')
}

function threeAt(text: string, start: number): number {
  // Enough bits for Latin; whatever shares a number is told apart by the comparison.
  return (text.charCodeAt(start) << 16) ^ (text.charCodeAt(start + 1) << 8) ^ text.charCodeAt(start + 2)
}

/** What a pattern matches, if that is one text only; null for an expression that is more. */
function plainText(pattern: string): string | null {
  const text = pattern.replace(/\\([^\w\s])/g, '$1')
  const isPlain = !/[\\^$.*+?()[\]{}|]/.test(pattern.replace(/\\[^\w\s]/g, ''))
  return isPlain && text.length >= 3 ? text : null
}
