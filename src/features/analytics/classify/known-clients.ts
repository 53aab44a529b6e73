import type { Category } from '#backends/events/view.ts'

/** A client that tells itself apart by its user agent. Plain data: one entry is one fact, with where it comes from. */
export interface KnownClient {
  /** As reports call it. */
  name: string
  /** What its user agent contains. */
  pattern: RegExp
  category: Category
  operator: string
  /** The lists of addresses (ranges/range-sources.ts) that its requests come from. Clients on people's machines have none. */
  ranges?: string[]
  /** Where the fact is from. */
  source: string
}

/** Of `knownClients`; to be raised with each change of it, as every view keeps it. */
export const knownClientsVersion = '2026-11-15'

const openai = 'https://developers.openai.com/api/docs/bots'
const anthropic = 'https://support.claude.com/en/articles/8896518'
const perplexity = 'https://docs.perplexity.ai/guides/bots'
const googleCommon = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers'
const googleSpecial = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers'
const googleUser = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers'
const meta = 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers'
const mistral = 'https://docs.mistral.ai/robots'
const amazon = 'https://developer.amazon.com/amazonbot'
const duckduckgo = 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot'
const crawlerList = 'https://github.com/monperrus/crawler-user-agents'
const robotsList = 'https://github.com/ai-robots-txt/ai.robots.txt'
// HTTP requests of coding agents to a documentation site, recorded (Borysenko, April 2026).
const agentStudy = 'https://arxiv.org/abs/2604.02544'

const googleRanges = ['google-common', 'google-special', 'google-user-triggered', 'google-user-triggered-google']

/**
 * What the package crawler-user-agents does not know, takes for something else, or has no addresses for. The first that
 * matches counts, so the more exact of two stands first.
 */
export const knownClients: readonly KnownClient[] = [
  // Coding agents. They run where their user works, so no list of addresses can have them.
  {
    // `Claude-User (claude-code/2.1.259; +https://support.anthropic.com/)`: not the Claude-User of claude.ai.
    name: 'Claude Code',
    pattern: /\bclaude-(code|cli)\b/i,
    category: 'agent',
    operator: 'Anthropic',
    source: 'https://gkoreli.com (recorded requests)',
  },
  { name: 'Cursor', pattern: /\bCursor(-Agent)?\//i, category: 'agent', operator: 'Anysphere', source: agentStudy },
  { name: 'opencode', pattern: /\bopencode\b/i, category: 'agent', operator: 'SST', source: robotsList },
  {
    name: 'Codex',
    pattern: /\bcodex(_cli_rs|_exec|_vscode|-cli|-tui)?\/|\bopenai-codex\b/i,
    category: 'agent',
    operator: 'OpenAI',
    source: 'https://github.com/openai/codex',
  },
  {
    name: 'Gemini CLI',
    pattern: /\bGemini-?CLI\b/i,
    category: 'agent',
    operator: 'Google',
    source: 'https://github.com/google-gemini/gemini-cli',
  },
  { name: 'Antigravity', pattern: /\bAntigravity\//i, category: 'agent', operator: 'Google', source: agentStudy },
  { name: 'Windsurf', pattern: /\bWindsurf\//i, category: 'agent', operator: 'Cognition', source: agentStudy },
  { name: 'Devin', pattern: /\bDevin\b/, category: 'agent', operator: 'Cognition', source: crawlerList },
  { name: 'Manus', pattern: /\bManus-User\b/i, category: 'agent', operator: 'Manus', source: crawlerList },
  {
    name: 'GitHub Copilot',
    pattern: /\bGitHub-?Copilot|\bcopilot-(cli|chat|swe-agent)\b/i,
    category: 'agent',
    operator: 'GitHub',
    source: 'https://github.com/coder/aibridge/pull/158',
  },
  {
    // The editor's own fetch tool loads pages in a hidden Electron window. Its preview shows pages of the same machine.
    name: 'VS Code',
    pattern: /\bCode(?: - Insiders)?\/1\.\d+\.\d.* Electron\//,
    category: 'agent',
    operator: 'Microsoft',
    source: agentStudy,
  },
  { name: 'Trae', pattern: /\bTrae\/\d/, category: 'agent', operator: 'ByteDance', source: crawlerList },
  {
    name: 'Aider',
    pattern: /\bAider\/\S+|\+https:\/\/aider\.chat/i,
    category: 'agent',
    operator: 'Aider',
    source: 'https://github.com/Aider-AI/aider/blob/main/aider/scrape.py',
  },
  {
    name: 'Cline',
    pattern: /\b(Roo-)?Cline\/|\bRoo-?Code\/|\bKilo-?Code\//i,
    category: 'agent',
    operator: 'Cline and its forks',
    source: 'https://github.com/cline/cline',
  },
  { name: 'Junie', pattern: /\bJunie\b/, category: 'agent', operator: 'JetBrains', source: agentStudy },
  { name: 'Amazon Nova Act', pattern: /\bNovaAct\b/i, category: 'agent', operator: 'Amazon', source: crawlerList },
  {
    name: 'Bedrock AgentCore Browser',
    pattern: /\bAmazon-Bedrock-AgentCore-Browser\b/i,
    category: 'agent',
    operator: 'Amazon',
    source: crawlerList,
  },
  {
    name: 'Amazon Buy For Me',
    pattern: /\bAmazonBuyForMe\b/i,
    category: 'agent',
    operator: 'Amazon',
    source: crawlerList,
  },
  {
    name: 'Anchor Browser',
    pattern: /\bAnchor Browser\b/i,
    category: 'agent',
    operator: 'Anchor',
    source: crawlerList,
  },
  { name: 'TwinAgent', pattern: /\bTwinAgent\b/i, category: 'agent', operator: 'Twin', source: crawlerList },
  {
    name: 'Google-Agent',
    pattern: /\bGoogle-Agent\b|\bGoogleAgent-(Mariner|URLContext)\b/i,
    category: 'agent',
    operator: 'Google',
    ranges: ['google-agents', ...googleRanges],
    source: googleUser,
  },

  // Assistants: they fetch because a person asked them to.
  {
    name: 'ChatGPT-User',
    pattern: /\bChatGPT-User\b/i,
    category: 'assistant',
    operator: 'OpenAI',
    ranges: ['openai-chatgpt-user', 'openai-chatgpt-agents'],
    source: openai,
  },
  {
    name: 'ChatGPT agent',
    pattern: /\bChatGPT Agent\b/i,
    category: 'assistant',
    operator: 'OpenAI',
    ranges: ['openai-chatgpt-user', 'openai-chatgpt-agents'],
    source: 'https://help.openai.com/en/articles/11845367',
  },
  {
    name: 'Claude-User',
    pattern: /\bClaude-User\b/i,
    category: 'assistant',
    operator: 'Anthropic',
    ranges: ['anthropic'],
    source: anthropic,
  },
  {
    name: 'Perplexity-User',
    pattern: /\bPerplexity-?User\b/i,
    category: 'assistant',
    operator: 'Perplexity',
    ranges: ['perplexity-user'],
    source: perplexity,
  },
  {
    name: 'MistralAI-User',
    pattern: /\bMistralAI-User\b/i,
    category: 'assistant',
    operator: 'Mistral',
    ranges: ['mistral-user'],
    source: mistral,
  },
  {
    name: 'Gemini Notebook',
    pattern: /\bGoogle-(GeminiNotebook|NotebookLM)\b/i,
    category: 'assistant',
    operator: 'Google',
    ranges: googleRanges,
    source: googleUser,
  },
  {
    name: 'Gemini Deep Research',
    pattern: /\bGemini-Deep-Research\b/i,
    category: 'assistant',
    operator: 'Google',
    source: robotsList,
  },
  {
    // The whole user agent of the Gemini app, from addresses on none of Google's lists.
    name: 'Gemini',
    pattern: /^Google$/,
    category: 'assistant',
    operator: 'Google',
    source: 'https://gkoreli.com (recorded requests)',
  },
  {
    name: 'Meta-ExternalFetcher',
    pattern: /\bmeta-externalfetcher\b/i,
    category: 'assistant',
    operator: 'Meta',
    source: meta,
  },
  {
    name: 'Amzn-User',
    pattern: /\bAmzn-User\b/i,
    category: 'assistant',
    operator: 'Amazon',
    ranges: ['amazon-user'],
    source: amazon,
  },
  { name: 'Kimi-User', pattern: /\bKimi-User\b/i, category: 'assistant', operator: 'Moonshot AI', source: robotsList },
  { name: 'PhindBot', pattern: /\bPhindBot\b/i, category: 'assistant', operator: 'Phind', source: crawlerList },
  { name: 'Kagi fetcher', pattern: /\bkagi-fetcher\b/i, category: 'assistant', operator: 'Kagi', source: crawlerList },
  { name: 'LinerBot', pattern: /\bLinerBot\b/i, category: 'assistant', operator: 'Liner', source: crawlerList },
  {
    name: 'FirecrawlAgent',
    pattern: /\bFirecrawlAgent\b/i,
    category: 'assistant',
    operator: 'Firecrawl',
    source: crawlerList,
  },

  // Indexes that AI answers are made from.
  {
    name: 'OAI-SearchBot',
    pattern: /\bOAI-SearchBot\b/i,
    category: 'ai-search',
    operator: 'OpenAI',
    ranges: ['openai-searchbot'],
    source: openai,
  },
  {
    name: 'Claude-SearchBot',
    pattern: /\bClaude-SearchBot\b/i,
    category: 'ai-search',
    operator: 'Anthropic',
    ranges: ['anthropic'],
    source: anthropic,
  },
  {
    name: 'PerplexityBot',
    pattern: /\bPerplexityBot\b/i,
    category: 'ai-search',
    operator: 'Perplexity',
    ranges: ['perplexity-bot'],
    source: perplexity,
  },
  {
    name: 'MistralAI-Index',
    pattern: /\bMistralAI-Index\b/i,
    category: 'ai-search',
    operator: 'Mistral',
    ranges: ['mistral-index'],
    source: mistral,
  },
  {
    name: 'DuckAssistBot',
    pattern: /\bDuckAssistBot\b/i,
    category: 'ai-search',
    operator: 'DuckDuckGo',
    ranges: ['duckduckgo-assist'],
    source: duckduckgo,
  },
  {
    name: 'Amzn-SearchBot',
    pattern: /\bAmzn-SearchBot\b/i,
    category: 'ai-search',
    operator: 'Amazon',
    ranges: ['amazon-searchbot'],
    source: amazon,
  },
  {
    name: 'Meta-WebIndexer',
    pattern: /\bmeta-webindexer\b/i,
    category: 'ai-search',
    operator: 'Meta',
    source: meta,
  },
  {
    name: 'Google-CloudVertexBot',
    pattern: /\bGoogle-CloudVertexBot\b/i,
    category: 'ai-search',
    operator: 'Google',
    ranges: googleRanges,
    source: googleCommon,
  },
  { name: 'YouBot', pattern: /\bYouBot\b/i, category: 'ai-search', operator: 'You.com', source: robotsList },
  { name: 'ExaBot', pattern: /\bExa(Search)?Bot\b/i, category: 'ai-search', operator: 'Exa', source: robotsList },

  // Collectors of what models are trained with.
  {
    name: 'GPTBot',
    pattern: /\bGPTBot\b/i,
    category: 'training',
    operator: 'OpenAI',
    ranges: ['openai-gptbot'],
    source: openai,
  },
  {
    name: 'ClaudeBot',
    pattern: /\bClaudeBot\b/i,
    category: 'training',
    operator: 'Anthropic',
    ranges: ['anthropic'],
    source: anthropic,
  },
  {
    name: 'CCBot',
    pattern: /\bCCBot\b/i,
    category: 'training',
    operator: 'Common Crawl',
    ranges: ['commoncrawl'],
    source: 'https://commoncrawl.org/ccbot',
  },
  {
    name: 'Amazonbot',
    pattern: /\bAmazonbot\b/i,
    category: 'training',
    operator: 'Amazon',
    ranges: ['amazon-bot'],
    source: amazon,
  },
  {
    name: 'Meta-ExternalAgent',
    pattern: /\bmeta-externalagent\b/i,
    category: 'training',
    operator: 'Meta',
    source: meta,
  },
  { name: 'Bytespider', pattern: /\bBytespider\b/i, category: 'training', operator: 'ByteDance', source: robotsList },
  { name: 'Diffbot', pattern: /\bDiffbot\b/i, category: 'training', operator: 'Diffbot', source: robotsList },
  { name: 'Timpibot', pattern: /\bTimpibot\b/i, category: 'training', operator: 'Timpi', source: robotsList },
  { name: 'PanguBot', pattern: /\bPanguBot\b/i, category: 'training', operator: 'Huawei', source: robotsList },

  // Search engines whose addresses are published, so that imitations of them show.
  { name: 'OAI-AdsBot', pattern: /\bOAI-AdsBot\b/i, category: 'bot', operator: 'OpenAI', source: openai },
  {
    name: 'Google special crawlers',
    pattern: /\b(AdsBot-Google|APIs-Google|Google-Safety|Mediapartners-Google|Storebot-Google)/,
    category: 'bot',
    operator: 'Google',
    ranges: googleRanges,
    source: googleSpecial,
  },
  {
    name: 'Googlebot',
    pattern: /\bGooglebot\b/i,
    category: 'bot',
    operator: 'Google',
    ranges: googleRanges,
    source: googleCommon,
  },
  {
    name: 'GoogleOther',
    pattern: /\bGoogleOther\b/,
    category: 'bot',
    operator: 'Google',
    ranges: googleRanges,
    source: googleCommon,
  },
  {
    name: 'bingbot',
    pattern: /\bbingbot\b/i,
    category: 'bot',
    operator: 'Microsoft',
    ranges: ['bing'],
    source: 'https://www.bing.com/webmasters/help/how-to-verify-bingbot-3905dc26',
  },
  {
    name: 'Applebot',
    pattern: /\bApplebot\b/i,
    category: 'bot',
    operator: 'Apple',
    ranges: ['apple'],
    source: 'https://support.apple.com/en-us/119829',
  },
  {
    name: 'DuckDuckBot',
    pattern: /\bDuckDuckBot\b/i,
    category: 'bot',
    operator: 'DuckDuckGo',
    ranges: ['duckduckgo'],
    source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot',
  },
  {
    // Browsers without a window, and those that programs drive.
    name: 'Headless browser',
    pattern: /\bHeadlessChrome\b|\bPlaywright\b|\bPuppeteer\b|\bPhantomJS\b|\bSelenium\b|\bCypress\//i,
    category: 'bot',
    operator: 'various',
    source: crawlerList,
  },
]
