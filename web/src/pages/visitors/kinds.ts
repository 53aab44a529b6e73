import type { Operations } from '../../api/client.ts'

export type Kind = Operations['getAgents']['answer']['agents'][number]['category']

/** The four kinds of AI clients, as docs/analytics.md has them. */
export const kinds: Record<Kind, { name: string; about: string }> = {
  assistant: { name: 'Assistant', about: 'fetches for somebody who waits in a chat, such as ChatGPT-User' },
  agent: { name: 'Agent', about: 'a coding agent such as Claude Code, or a client that asks for Markdown before HTML' },
  'ai-search': { name: 'AI search', about: 'a crawler of AI search, such as OAI-SearchBot' },
  training: { name: 'Training', about: 'a crawler that collects for training, such as GPTBot' },
}
