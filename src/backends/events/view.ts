/** Who reads. `human` counts as human; `assistant`, `agent`, `ai-search` and `training` as AI; the rest nowhere. */
export const categories = ['human', 'assistant', 'agent', 'ai-search', 'training', 'bot', 'unknown'] as const
export type Category = (typeof categories)[number]

export const aiCategories = ['assistant', 'agent', 'ai-search', 'training'] as const satisfies Category[]
/** AI clients that read for a person who waits for the answer. */
export const directAiCategories = ['assistant', 'agent'] as const satisfies Category[]

/**
 * How far a client is who it says: `verified` by a signature or a published address, only `claimed` by its user agent,
 * `spoofed` when its address is not one that the named operator publishes.
 */
export const verifications = ['verified', 'claimed', 'spoofed', 'none'] as const
export type Verification = (typeof verifications)[number]

/** The way a view came in. */
export const viewSources = ['page', 'script', 'events', 'log'] as const
export type ViewSource = (typeof viewSources)[number]

/** What the classifier says of a request. */
export interface Verdict {
  category: Category
  /** The client's name, such as `Claude Code` or `GPTBot`; null where there is none to tell. */
  client: string | null
  /** The rule that decided, for people: `user agent list: GPTBot`. */
  reason: string
  verification: Verification
  /** Version of the lists that decided. */
  listVersion: string
}

/** Times that views can have, half open: days are kept in 16 bits, and day 0 of 1970 stands for never. */
export const timeBounds = { from: 86_400_000, to: 65_536 * 86_400_000 }

/** One view of one page, as it is kept. Nothing in it is an address. */
export interface View {
  projectId: string
  /** Milliseconds since 1970, UTC, within `timeBounds`. */
  at: number
  /** Canonical; see features/analytics/intake/canonical-path.ts. */
  path: string
  /** 64 bits that stand for the visitor. */
  visitor: bigint
  /** 64 bits made of the caller's id for this view: of several with the same one, the first is kept. Null: no id. */
  eventId: bigint | null
  verdict: Verdict
  referrer: string | null
  source: ViewSource
}
