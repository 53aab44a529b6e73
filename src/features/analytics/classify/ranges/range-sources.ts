import type { Category } from '#backends/events/view.ts'

/** A list of addresses that an operator publishes for its clients. */
export interface RangeSource {
  /** Also the name of its file: `data/ranges/<name>.json`. */
  name: string
  operator: string
  url: string
  /** `page`: the same JSON inside of an HTML page. */
  format: 'json' | 'page'
  /**
   * Who it is when a request from there does not say so itself. Null where the addresses are also those of people, or
   * of any customer.
   */
  anonymous: { client: string; category: Category } | null
}

const google = 'https://developers.google.com/static/crawling/ipranges'
const amazon = 'https://developer.amazon.com/amazonbot'

/**
 * Lists overlap: of several that have an address, the first here names an anonymous client. So those that fetch for a
 * person stand before crawlers.
 */
export const rangeSources: readonly RangeSource[] = [
  {
    name: 'openai-chatgpt-user',
    operator: 'OpenAI',
    url: 'https://openai.com/chatgpt-user.json',
    format: 'json',
    anonymous: { client: 'ChatGPT-User', category: 'assistant' },
  },
  {
    name: 'openai-chatgpt-agents',
    operator: 'OpenAI',
    url: 'https://openai.com/chatgpt-agents.json',
    format: 'json',
    anonymous: { client: 'ChatGPT agent', category: 'assistant' },
  },
  {
    name: 'perplexity-user',
    operator: 'Perplexity',
    url: 'https://www.perplexity.com/perplexity-user.json',
    format: 'json',
    anonymous: { client: 'Perplexity-User', category: 'assistant' },
  },
  {
    name: 'mistral-user',
    operator: 'Mistral',
    url: 'https://mistral.ai/mistralai-user-ips.json',
    format: 'json',
    anonymous: { client: 'MistralAI-User', category: 'assistant' },
  },
  {
    name: 'amazon-user',
    operator: 'Amazon',
    url: `${amazon}/live-ip-addresses/`,
    format: 'page',
    anonymous: { client: 'Amzn-User', category: 'assistant' },
  },
  {
    name: 'google-agents',
    operator: 'Google',
    url: `${google}/user-triggered-agents.json`,
    format: 'json',
    anonymous: { client: 'Google-Agent', category: 'agent' },
  },
  {
    name: 'openai-searchbot',
    operator: 'OpenAI',
    url: 'https://openai.com/searchbot.json',
    format: 'json',
    anonymous: { client: 'OAI-SearchBot', category: 'ai-search' },
  },
  {
    name: 'perplexity-bot',
    operator: 'Perplexity',
    url: 'https://www.perplexity.com/perplexitybot.json',
    format: 'json',
    anonymous: { client: 'PerplexityBot', category: 'ai-search' },
  },
  {
    name: 'mistral-index',
    operator: 'Mistral',
    url: 'https://mistral.ai/mistralai-index-ips.json',
    format: 'json',
    anonymous: { client: 'MistralAI-Index', category: 'ai-search' },
  },
  {
    name: 'duckduckgo-assist',
    operator: 'DuckDuckGo',
    url: 'https://duckduckgo.com/duckassistbot.json',
    format: 'json',
    anonymous: { client: 'DuckAssistBot', category: 'ai-search' },
  },
  {
    name: 'amazon-searchbot',
    operator: 'Amazon',
    url: `${amazon}/searchbot-ip-addresses/`,
    format: 'page',
    anonymous: { client: 'Amzn-SearchBot', category: 'ai-search' },
  },
  {
    name: 'openai-gptbot',
    operator: 'OpenAI',
    url: 'https://openai.com/gptbot.json',
    format: 'json',
    anonymous: { client: 'GPTBot', category: 'training' },
  },
  {
    // One list for all three Claude clients. Nearly all that comes from it is ClaudeBot.
    name: 'anthropic',
    operator: 'Anthropic',
    url: 'https://claude.com/crawling/bots.json',
    format: 'json',
    anonymous: { client: 'ClaudeBot', category: 'training' },
  },
  {
    name: 'commoncrawl',
    operator: 'Common Crawl',
    url: 'https://index.commoncrawl.org/ccbot.json',
    format: 'json',
    anonymous: { client: 'CCBot', category: 'training' },
  },
  {
    name: 'amazon-bot',
    operator: 'Amazon',
    url: `${amazon}/ip-addresses/`,
    format: 'page',
    anonymous: { client: 'Amazonbot', category: 'training' },
  },
  {
    name: 'google-common',
    operator: 'Google',
    url: `${google}/common-crawlers.json`,
    format: 'json',
    anonymous: { client: 'Googlebot', category: 'bot' },
  },
  {
    name: 'google-special',
    operator: 'Google',
    url: `${google}/special-crawlers.json`,
    format: 'json',
    anonymous: { client: 'Google special crawlers', category: 'bot' },
  },
  // Google's cloud customers, and the proxies through which Chrome and Gmail load for people.
  {
    name: 'google-user-triggered',
    operator: 'Google',
    url: `${google}/user-triggered-fetchers.json`,
    format: 'json',
    anonymous: null,
  },
  {
    name: 'google-user-triggered-google',
    operator: 'Google',
    url: `${google}/user-triggered-fetchers-google.json`,
    format: 'json',
    anonymous: null,
  },
  {
    name: 'bing',
    operator: 'Microsoft',
    url: 'https://www.bing.com/toolbox/bingbot.json',
    format: 'json',
    anonymous: { client: 'bingbot', category: 'bot' },
  },
  {
    name: 'apple',
    operator: 'Apple',
    url: 'https://search.developer.apple.com/applebot.json',
    format: 'json',
    anonymous: { client: 'Applebot', category: 'bot' },
  },
  {
    name: 'duckduckgo',
    operator: 'DuckDuckGo',
    url: 'https://duckduckgo.com/duckduckbot.json',
    format: 'json',
    anonymous: { client: 'DuckDuckBot', category: 'bot' },
  },
]
