import type { Category } from '#backends/events/view.ts'

/**
 * What the AI crawlers of crawler-user-agents are for, by their pattern there. The package has one tag for all of them;
 * one that is not named here is `ai-search` where it also has the tag `search-engine`, and else `training`.
 */
export const aiCrawlers: Readonly<Record<string, Category>> = {
  // They fetch for a person who waits.
  'Claude-Web': 'assistant',
  'atlassian-bot': 'assistant',
  'Poggio-Citations': 'assistant',
  'linkReader\\/': 'assistant',
  Anomura: 'assistant',
  // Their indexes are searched by AI.
  'AzureAI-SearchBot': 'ai-search',
  'Aranet-SearchBot': 'ai-search',
  'bigsur\\.ai': 'ai-search',
  Channel3Bot: 'ai-search',
  'Cloudflare-AutoRAG': 'ai-search',
  iaskspider: 'ai-search',
  LinkupBot: 'ai-search',
  ShapBot: 'ai-search',
  TavilyBot: 'ai-search',
  ZanistaBot: 'ai-search',
}
