import { namesHtml } from '../accept.ts'
import type { Answer, Rule } from './rule.ts'

const unknown = (reason: string): Answer => ({ category: 'unknown', client: null, reason, verification: 'none' })

const human: Answer = { category: 'human', client: null, reason: 'a browser', verification: 'none' }

/** The last word: a browser's user agent is a person's, unless the rest of the request contradicts it. */
export const browserEvidence: Rule = {
  name: 'browser evidence',
  ask({ userAgent, evidence: { accept, acceptLanguage } }) {
    if (userAgent === null) return unknown('no user agent')
    if (userAgent.hintsAtBot) {
      return { category: 'bot', client: userAgent.product, reason: 'words that bots use', verification: 'none' }
    }
    if (!userAgent.isBrowser) return { ...unknown('the user agent is of no browser'), client: userAgent.product }
    // Each alone happens: pages fetched by a script ask for anything, and some proxies drop a header.
    if (acceptLanguage === null && (accept === null || (accept !== undefined && !namesHtml(accept)))) {
      return unknown('a browser’s user agent without the headers that browsers send')
    }
    return human
  },
}
