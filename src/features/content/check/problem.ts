export const problemRules = ['mdx', 'frontmatter', 'link', 'anchor', 'navigation', 'snippet', 'config'] as const
export type ProblemRule = (typeof problemRules)[number]

/** Something that a reader of the site would stumble over. */
export interface Problem {
  rule: ProblemRule
  /** File that it is in. */
  path: string
  /** From 1. */
  line: number
  column: number
  /** One sentence: what was found and what was expected. */
  message: string
  /** What to do, where there is something better than the message: `Did you mean /guides/setup?` */
  hint: string | null
  /**
   * Names the problem apart from where it stands: the same before and after lines were added above it. Problems that
   * two trees have in common are found by it.
   */
  key: string
}

export interface CheckReport {
  /** By path, then line. */
  problems: Problem[]
  /** How much was looked at. */
  pages: number
  links: number
}

/** A problem of one page, found without looking at any other file. */
export interface PageProblem extends Omit<Problem, 'path' | 'key'> {
  /** What the key is made of, beside the rule and the file. */
  subject: string
}

export function problemKey(rule: ProblemRule, path: string, subject: string): string {
  return `${rule} ${path} ${subject}`
}
