import type { Rule } from './rule.ts'

/**
 * A script, a link checker, an agent's fetch tool and a person at a terminal all look the same from here, so nothing is
 * claimed about them: `unknown`, which counts nowhere. A project that knows better says so in a rule of its own.
 */
export const httpLibraries: Rule = {
  name: 'HTTP libraries',
  ask({ userAgent, evidence: { acceptLanguage } }) {
    if (userAgent === null) return 'there is no user agent'
    if (userAgent.library !== null) {
      const reason = `HTTP library ${userAgent.library}; who uses it is not known`
      return { category: 'unknown', client: userAgent.library, reason, verification: 'claimed' }
    }
    // Node's fetch says so when its caller says nothing. No browser ever does.
    if (acceptLanguage?.trim() === '*') {
      const reason = 'Accept-Language as Node.js sends it; who uses it is not known'
      return { category: 'unknown', client: 'Node.js', reason, verification: 'none' }
    }
    return 'the user agent is of none'
  },
}
