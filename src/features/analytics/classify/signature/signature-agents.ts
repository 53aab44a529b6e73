import type { Category } from '#backends/events/view.ts'

/** Who signs requests (Web Bot Auth). Its keys lie in `data/ranges/keys-<host>.json`. */
export interface SignatureAgent {
  /** As in `Signature-Agent: "https://<host>"`. */
  host: string
  operator: string
  client: string
  category: Category
  source: string
}

export const signatureAgents: readonly SignatureAgent[] = [
  {
    host: 'chatgpt.com',
    operator: 'OpenAI',
    client: 'ChatGPT agent',
    category: 'assistant',
    source: 'https://help.openai.com/en/articles/11845367',
  },
  {
    host: 'agent.bot.goog',
    operator: 'Google',
    client: 'Google-Agent',
    category: 'agent',
    source: 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers',
  },
  {
    host: 'assistbot.duckduckgo.com',
    operator: 'DuckDuckGo',
    client: 'DuckAssistBot',
    category: 'ai-search',
    source: 'https://gkoreli.com (a recorded request whose key is in the directory)',
  },
]

export function keyDirectoryUrl(host: string): string {
  return `https://${host}/.well-known/http-message-signatures-directory`
}
