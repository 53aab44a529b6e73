import { createGenerationCache } from '../generation-cache.ts'
import { looksLikeBrowser, withoutDevices } from './browsers.ts'
import { findListedCrawler, hasBotShape, hintsAtBot, type ListedClient, saysBot } from './crawler-list.ts'
import { findLibrary } from './http-libraries.ts'
import { type KnownClient, knownClients } from './known-clients.ts'

/** All that a user agent tells by itself; the same for the same text, so it is worked out once. */
export interface UserAgentFacts {
  /** The part that is looked at. */
  text: string
  known: KnownClient | null
  listed: ListedClient | null
  /** Calls itself a bot by a word that means one. */
  saysBot: boolean
  /** Has a word that bots use, and others too. */
  hintsAtBot: boolean
  library: string | null
  isBrowser: boolean
  /** Its first word, such as `MyAgent` of `MyAgent/1.0`, where that is a name. */
  product: string | null
}

// User agents of apps reach 500 characters. Beyond this nothing is read, so that no expression can take long; and
// longer ones are not remembered, so that a flood of them cannot fill the memory.
const mostCharacters = 600

export function readUserAgent(userAgent: string): UserAgentFacts {
  const text = userAgent.slice(0, mostCharacters)
  const known = knownClients.find(({ pattern }) => pattern.test(text)) ?? null
  const isBrowser = looksLikeBrowser(text)
  const names = isBrowser ? withoutDevices(text) : text
  const listed = known ? null : findListedCrawler(names)
  const library = known || listed ? null : findLibrary(names)
  const isUnknown = !known && !listed && !library
  return {
    text,
    known,
    listed,
    // Names of libraries say nothing of who uses them, and contain some of these words.
    saysBot: isUnknown && saysBot(names),
    hintsAtBot: isUnknown && hintsAtBot(names),
    library,
    isBrowser: isBrowser && !(text.startsWith('Mozilla') && hasBotShape(text)),
    product: isBrowser ? null : (/^[A-Za-z][\w.-]{1,39}(?=[/ ]|$)/.exec(text)?.[0] ?? null),
  }
}

const mostKept = 10_000

/** `readUserAgent` with a memory for the user agents of late. */
export function createUserAgentReader(): (userAgent: string) => UserAgentFacts {
  const recent = createGenerationCache<UserAgentFacts>({
    mostEntries: mostKept,
    mostCharacters: mostKept * mostCharacters,
  })
  return (userAgent) => {
    if (userAgent.length > mostCharacters) return readUserAgent(userAgent)
    const known = recent.get(userAgent)
    if (known) return known
    const facts = readUserAgent(userAgent)
    recent.set(userAgent, facts)
    return facts
  }
}
