import crawlerUserAgents from 'crawler-user-agents'
import { list as isbotPatterns } from 'isbot'
import type { Category } from '#backends/events/view.ts'
import { aiCrawlers } from './ai-crawlers.ts'
import { createPatternSearch } from './pattern-search.ts'

/** Of the packages; a test compares them with what is installed. */
export const crawlerListVersions = { 'crawler-user-agents': '1.60.0', isbot: '5.2.3' }

export interface ListedClient {
  name: string
  category: Category
}

/** Tagged as HTTP libraries there, but made to crawl: who uses them is a bot. */
const crawlersByTrade =
  /HTTrack|SimpleCrawler|crawler4j|phpcrawl|Scrapy|newspaper|opengraph|colly|trafilatura|Ninja|GoParserBot|larbin|rawweb|http_get|BTWebClient|Salesforce|CloudFront|httpunit/

interface Entry {
  pattern: string
  tags?: string[]
}

const entries: readonly Entry[] = crawlerUserAgents
const isLibrary = ({ pattern, tags = [] }: Entry) => tags.includes('http-library') && !crawlersByTrade.test(pattern)

/** The crawlers that crawler-user-agents lists, without what is only an HTTP library. */
export const findListedCrawler = createFinder(entries.filter((entry) => !isLibrary(entry)))
/** The HTTP libraries that it lists. */
export const findListedLibrary = createFinder(entries.filter(isLibrary))

/** The list as one function: of the patterns that match, the first on the list counts. */
function createFinder(listed: readonly Entry[]): (userAgent: string) => ListedClient | null {
  const clients = listed.map(({ pattern, tags = [] }) => ({
    name: nameOf(pattern),
    category: categoryOf(pattern, tags),
  }))
  const find = createPatternSearch(listed.map(({ pattern }) => pattern))
  return (userAgent) => clients[find(userAgent)] ?? null
}

/** `[cC]laude[bB]ot\/` is called claudebot: a name of ours, so that nothing a client writes becomes one. */
function nameOf(pattern: string): string {
  const letters = pattern
    .replace(/\[(\w)\w\]/g, '$1')
    .replace(/\\(.)/g, (_, escaped) => (/\w/.test(escaped) ? ' ' : escaped))
  const words = letters.split(/[\^$*+?()[\]{}|]/).map((part) => part.replace(/^[\s/:;.-]+|[\s/:;.-]+$/g, ''))
  return words.find((word) => word.length >= 2) ?? pattern
}

function categoryOf(pattern: string, tags: string[]): Category {
  if (!tags.includes('ai-crawler')) return 'bot'
  return aiCrawlers[pattern] ?? (tags.includes('search-engine') ? 'ai-search' : 'training')
}

/**
 * isbot's list has words that only bots use (crawl, spider, monitor). Others say little (an address of a site, `agent`),
 * and are asked only when nothing else tells. Then there are shapes, which no browser's user agent has.
 */
const weakWords = new Set([
  '(?<!lib)http',
  '\\.com\\b',
  '^client/',
  'agent\\b',
  'java(?!;)',
  'library',
  'node\\b',
  'proxy',
  'server',
  'tools',
  'url',
])
const isShape = (pattern: string) =>
  pattern.startsWith('^mozilla') || !/[a-z]{2}/i.test(pattern.replace(/\\[a-z]|\(\?[:!=<]|\[[^\]]*\]/gi, ''))
// All in lower case.
const findWord = createPatternSearch(isbotPatterns.filter((pattern) => !isShape(pattern) && !weakWords.has(pattern)))
const findWeakWord = createPatternSearch(isbotPatterns.filter((pattern) => weakWords.has(pattern)))
const findShape = createPatternSearch(isbotPatterns.filter(isShape))

export function saysBot(userAgent: string): boolean {
  return findWord(userAgent.toLowerCase()) !== -1
}

export function hintsAtBot(userAgent: string): boolean {
  return findWeakWord(userAgent.toLowerCase()) !== -1
}

export function hasBotShape(userAgent: string): boolean {
  return findShape(userAgent.toLowerCase()) !== -1
}
