import type { AiScope } from '#backends/events/event-store.ts'
import type { Category } from '#backends/events/view.ts'

/** A project's own rule: what matches all the given tests is of this category. Rules come before everything else. */
export interface ProjectRule {
  /** Part of the user agent, in any case. */
  userAgent?: string
  /** Networks of the client's address, such as `10.0.0.0/8`. */
  networks?: string[]
  /** Start of the canonical path, such as `/internal`. */
  path?: string
  category: Category
  /** How the client is called in reports. */
  client?: string
}

export interface AnalyticsSettings {
  aiTraffic: AiScope
  /** How long one visitor keeps one id. Counts are exact within such a period; a visitor of two periods counts twice. */
  visitorIds: 'stable' | 'monthly' | 'daily'
  retentionDays: number | null
  /** Where the browser script may be on, such as `https://docs.example.com`. */
  origins: string[]
  rules: ProjectRule[]
}
