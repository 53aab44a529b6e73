import { NotEvaluated } from './value.ts'

/**
 * What one page may cost. Pages of real sites reach 700 kB and some 50,000 nodes; ten lines of snippets that contain each
 * other ten times over reach any number. All of it is counted, none of it timed: the same page gives the same result on a
 * busy machine. Time is limited by whoever started this process.
 */
export interface Budget {
  /** Counts a node of the page; false when it is one too many, and from then on. */
  takeNode(characters?: number): boolean
  /** Counts one more snippet put in. */
  takeSnippet(): boolean
  /** Counts work on expressions; throws `NotEvaluated` when it is too much. */
  spend(amount: number): void
  /** Which limit was met, for the reader; null while there is none. */
  readonly exceeded: string | null
}

export interface Limits {
  nodes: number
  characters: number
  snippets: number
  /** Steps and characters that expressions may take. */
  steps: number
}

export const usualLimits: Limits = {
  nodes: 100_000,
  characters: 6_000_000,
  snippets: 1_000,
  steps: 3_000_000,
}

export function createBudget(limits: Limits = usualLimits): Budget {
  let nodes = 0
  let characters = 0
  let snippets = 0
  let steps = 0
  let exceeded: string | null = null

  return {
    get exceeded() {
      return exceeded
    },
    takeNode(length = 0) {
      if (exceeded !== null) return false
      nodes++
      characters += length
      if (nodes > limits.nodes) exceeded = 'it has too many parts'
      else if (characters > limits.characters) exceeded = 'it is too long'
      return exceeded === null
    },
    takeSnippet() {
      if (exceeded !== null) return false
      snippets++
      if (snippets > limits.snippets) exceeded = 'it has too many snippets'
      return exceeded === null
    },
    spend(amount) {
      steps += amount
      if (exceeded === null && steps > limits.steps) exceeded = 'its expressions are too much work'
      if (exceeded !== null) throw new NotEvaluated(exceeded)
    },
  }
}
