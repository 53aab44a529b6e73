// The site of which bench/analytics-data.ts makes views: its pages, who reads them, and where they come from.
import type { Category, Verdict } from '#backends/events/view.ts'

export interface Client {
  verdict: Verdict
  /** Of all visitors, how many are this client. */
  share: number
  /** Crawlers come every day of the year, people and what reads for them as people live. */
  isCrawler?: true
}

const client = (category: Category, name: string | null, share: number, isCrawler?: true): Client => ({
  verdict: {
    category,
    client: name,
    reason: name ? `user agent list: ${name}` : `${category} by its headers`,
    verification: isCrawler ? 'verified' : name ? 'claimed' : 'none',
    listVersion: '1.60.0',
  },
  share,
  ...(isCrawler && { isCrawler }),
})

/** The first takes what the others leave. */
export const clients: readonly Client[] = [
  client('human', null, 0),
  client('assistant', 'ChatGPT-User', 0.05),
  client('assistant', 'Claude-User', 0.02),
  client('assistant', 'Perplexity-User', 0.01),
  client('agent', 'Claude Code', 0.03),
  client('agent', 'Cursor', 0.015),
  client('agent', 'opencode', 0.005),
  client('ai-search', 'OAI-SearchBot', 0.0003, true),
  client('training', 'GPTBot', 0.0004, true),
  client('training', 'ClaudeBot', 0.0003, true),
  client('training', 'CCBot', 0.0001, true),
  client('bot', 'Googlebot', 0.0005, true),
  client('bot', 'bingbot', 0.0003, true),
  client('unknown', null, 0.02),
]
/** Looks like a browser but for what it accepts, so some are seen as both. */
export const opencode = clients.findIndex(({ verdict }) => verdict.client === 'opencode')

export const referrers: readonly (string | null)[] = [
  null,
  ...Array.from({ length: 60 }, (_, index) => `https://site-${index}.example/`),
]

export const paths: readonly string[] = Array.from({ length: 3000 }, (_, page) => {
  const sections = ['guides', 'api-reference', 'concepts', 'integrations', 'sdk', 'changelog']
  return page === 0 ? '/' : `/${sections[page % sections.length]}/part-${page % 40}/how-to-use-thing-${page}`
})
