/** The candidate a person most likely meant, or null when none is close. For "did you mean" messages. */
export function closest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  // As many edits as there are letters would turn the word into any other.
  let bestDistance = Math.min(word.length, Math.max(2, Math.floor(word.length / 3)) + 1)
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein distance, with two neighbouring letters swapped counted as one edit. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      let least = Math.min(previous[column]! + 1, current[column - 1]! + 1, substitution)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, beforePrevious[column - 2]! + 1)
      }
      current.push(least)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
