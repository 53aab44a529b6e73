import type { Verdict } from '#backends/events/view.ts'
import type { ProjectRule } from '../../settings/analytics-settings.ts'
import type { Evidence } from '../evidence.ts'
import type { Address } from '../ranges/address.ts'
import type { PublishedFacts } from '../ranges/range-folder.ts'
import type { UserAgentFacts } from '../user-agent-facts.ts'

/** All that a rule may look at. */
export interface Question {
  evidence: Evidence
  /** Canonical path of the page. */
  path: string
  projectRules: readonly ProjectRule[]
  /** When the request was made, in milliseconds since 1970. */
  at: number
  /** Null when there is no user agent. */
  userAgent: UserAgentFacts | null
  /** Null when it is not known. */
  address: Address | null
  /** The published lists that have the address, as bits of `published.ranges`. */
  lists: number
  published: PublishedFacts
}

export type Answer = Omit<Verdict, 'listVersion'>

export interface Rule {
  name: string
  /** The verdict, or why this rule has none to give. */
  ask(question: Question): Answer | string
}
