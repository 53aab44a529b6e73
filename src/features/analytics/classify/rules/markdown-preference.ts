import { prefersMarkdown } from '../accept.ts'
import type { Rule } from './rule.ts'

/** Accept headers that one agent sends, whatever user agent stands beside them. */
const fingerprints: readonly { accept: string; userAgent?: RegExp; client: string }[] = [
  // opencode's webfetch for its three formats; its user agent is that of Chrome.
  {
    accept: 'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    client: 'opencode',
  },
  { accept: 'text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1', client: 'opencode' },
  {
    accept: 'text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1',
    client: 'opencode',
  },
  // Claude Code before it had a user agent of its own.
  { accept: 'text/markdown, text/html, */*', userAgent: /^axios\//, client: 'Claude Code' },
]

/** No browser asks for Markdown, and nobody's crawler does: it is read by a model. */
export const markdownPreference: Rule = {
  name: 'Markdown preference',
  ask({ evidence: { accept }, userAgent }) {
    if (accept === undefined) return 'the Accept header is not known'
    if (accept === null) return 'there is no Accept header'
    const known = fingerprints.find(
      (entry) => entry.accept === accept && (!entry.userAgent || (userAgent && entry.userAgent.test(userAgent.text))),
    )
    if (known) {
      const reason = `Accept header as ${known.client} sends it`
      return { category: 'agent', client: known.client, reason, verification: 'none' }
    }
    if (!prefersMarkdown(accept)) return 'Markdown is not asked for before HTML'
    const client = userAgent?.library ?? userAgent?.product ?? null
    return { category: 'agent', client, reason: 'asks for Markdown before HTML', verification: 'none' }
  },
}
