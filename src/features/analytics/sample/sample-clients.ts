/** Somebody who reads the sample's pages, in one of several copies that are different visitors. */
export interface SampleClient {
  name: string
  userAgent: string
  accept: string
  /** How much of its kind's traffic is this one's, compared with its neighbours. */
  weight: number
  /** How many different visitors there are of it. */
  visitors: number
}

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const markdownFirst = 'text/markdown, text/html, */*'
const anything = '*/*'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const compatible = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible;'

export const samplePeople: readonly SampleClient[] = [
  {
    name: 'Chrome on Windows',
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`,
    accept: html,
    weight: 9,
    visitors: 90,
  },
  {
    name: 'Chrome on a Mac',
    userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}`,
    accept: html,
    weight: 8,
    visitors: 70,
  },
  {
    name: 'Safari on a Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    accept: html,
    weight: 5,
    visitors: 40,
  },
  {
    name: 'Firefox on Linux',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
    accept: html,
    weight: 5,
    visitors: 30,
  },
  {
    name: 'Safari on a phone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    accept: html,
    weight: 4,
    visitors: 45,
  },
]

export const sampleAiClients: readonly SampleClient[] = [
  {
    name: 'Claude Code',
    userAgent: 'Claude-User (claude-code/2.1.259; +https://support.anthropic.com/)',
    accept: markdownFirst,
    weight: 9,
    visitors: 28,
  },
  { name: 'Cursor', userAgent: 'Cursor/2.0.43', accept: html, weight: 6, visitors: 20 },
  { name: 'opencode', userAgent: 'opencode/1.0.55', accept: markdownFirst, weight: 3, visitors: 8 },
  { name: 'Codex', userAgent: 'codex_cli_rs/0.58.0', accept: markdownFirst, weight: 3, visitors: 9 },
  {
    name: 'ChatGPT-User',
    userAgent: `${compatible} ChatGPT-User/1.0; +https://openai.com/bot)`,
    accept: html,
    weight: 7,
    visitors: 24,
  },
  {
    name: 'Claude-User',
    userAgent: `${compatible} Claude-User/1.0; +Claude-User@anthropic.com)`,
    accept: html,
    weight: 5,
    visitors: 16,
  },
  {
    name: 'Perplexity-User',
    userAgent: `${compatible} Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`,
    accept: html,
    weight: 3,
    visitors: 9,
  },
  {
    name: 'OAI-SearchBot',
    userAgent: `${compatible} OAI-SearchBot/1.0; +https://openai.com/searchbot)`,
    accept: anything,
    weight: 3,
    visitors: 4,
  },
  {
    name: 'GPTBot',
    userAgent: `${compatible} GPTBot/1.2; +https://openai.com/gptbot)`,
    accept: anything,
    weight: 3,
    visitors: 5,
  },
  {
    name: 'ClaudeBot',
    userAgent: `${compatible} ClaudeBot/1.0; +claudebot@anthropic.com)`,
    accept: anything,
    weight: 2,
    visitors: 4,
  },
]

/** Who counts nowhere, as every site has them too. */
export const sampleBots: readonly SampleClient[] = [
  {
    name: 'Googlebot',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    accept: anything,
    weight: 4,
    visitors: 4,
  },
  { name: 'curl', userAgent: 'curl/8.14.1', accept: anything, weight: 1, visitors: 3 },
]

export const sampleReferrers: readonly (string | null)[] = [
  null,
  null,
  null,
  'https://www.google.com/',
  'https://www.google.com/',
  'https://duckduckgo.com/',
  'https://github.com/',
  'https://news.ycombinator.com/',
  'https://chatgpt.com/',
]
