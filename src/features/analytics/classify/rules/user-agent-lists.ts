import type { KnownClient } from '../known-clients.ts'
import type { Answer, Question, Rule } from './rule.ts'

// Operators change their addresses. A list that was got more than this before or after the request proves nothing
// against an address that is missing in it.
const validMs = 30 * 24 * 60 * 60 * 1000

export const userAgentLists: Rule = {
  name: 'user-agent lists',
  ask(question) {
    const { userAgent } = question
    if (userAgent === null) return 'there is no user agent'
    if (userAgent.known) return judge(userAgent.known, question)
    if (userAgent.listed) {
      const { name, category } = userAgent.listed
      return { category, client: name, reason: `user agent list: ${name}`, verification: 'claimed' }
    }
    if (userAgent.saysBot) {
      return {
        category: 'bot',
        client: userAgent.product,
        reason: 'calls itself a bot',
        verification: 'claimed',
      }
    }
    return 'the user agent is on none'
  },
}

const claims = new WeakMap<KnownClient, Answer>()

/** The same object for the same client. */
function claimOf(client: KnownClient): Answer {
  const known = claims.get(client)
  if (known !== undefined) return known
  const { name, category } = client
  const claim: Answer = { category, client: name, reason: `user agent list: ${name}`, verification: 'claimed' }
  claims.set(client, claim)
  return claim
}

/** Who claims to be a client whose operator publishes its addresses must come from one of them. */
function judge(client: KnownClient, question: Question): Answer {
  const { name, operator, ranges = [] } = client
  const { published, lists, address } = question
  const claimed = claimOf(client)
  if (address === null) return claimed
  let isComplete = ranges.length > 0
  for (const list of ranges) {
    const place = published.ranges.names.indexOf(list)
    const fetchedAt = published.fetchedAt.get(list)
    if (place === -1 || fetchedAt === undefined) isComplete = false
    else if (lists & (1 << place)) {
      return {
        ...claimed,
        reason: `user agent list: ${name}, from an address of ${operator}`,
        verification: 'verified',
      }
    } else if (Math.abs(question.at - fetchedAt) > validMs) isComplete = false
  }
  if (!isComplete) return claimed
  // Nobody knows who it is then; only who it is not.
  return {
    category: 'unknown',
    client: name,
    reason: `calls itself ${name}, but not from an address of ${operator}`,
    verification: 'spoofed',
  }
}
