import type { EditionPage, SearchHit, SearchQuery } from '../edition/edition.ts'
import { excerptOf } from './excerpt.ts'
import type { IndexedSections, MatchedSection } from './indexed-sections.ts'
import { allOf, anyOf, createMatcher, inTexts, parseQuery, stemOf, type Term } from './match-expression.ts'
import { similarWords } from './similar-words.ts'
import { foldText } from './words.ts'

/** A page as search sees it. */
export interface SearchedPage {
  page: EditionPage
  isHidden: boolean
  /** Codes of the divisions it stands in; null: it stands in none of that kind, and so belongs to all of them. */
  language: string | null
  version: string | null
  /** Above 1: higher in the results. */
  boost: number
  trail(): string[]
}

export interface SearchInput {
  index: IndexedSections
  /** The pages of the edition by their numbers in the index; one that stands at several routes is several. */
  pagesOf(pageId: number): readonly SearchedPage[]
  query: SearchQuery
}

interface Candidate {
  match: MatchedSection
  searched: SearchedPage
  score: number
}

const mostHits = 100
// So many of the best are put in order by what the index does not know: boosts, exact titles.
const mostCandidates = 300
const enoughTitles = 200
const mostPerPage = 3
// With fewer pages than this, what is similar is shown after them.
const fewPages = 4
const exactTitle = 1_000
const beginningOfTitle = 2

/** What readers find. Never throws for any text, and never takes long for one. */
export function searchSections({ index, pagesOf, query }: SearchInput): SearchHit[] {
  const terms = parseQuery(query.text)
  const limit = Math.min(Math.max(Math.floor(query.limit) || 0, 0), mostHits)
  if (terms.length === 0 || limit === 0) return []
  const wanted = foldText(query.text)
  const found = new Map<string, Candidate & { terms: Term[] }>()

  take(terms, allOf)
  if (pagesFound() < fewPages) {
    const wider = terms.map(({ word }) => ({ word, similar: similarWords(index, word), stem: stemOf(word) }))
    take(wider, allOf)
    if (found.size === 0 && wider.length > 1) take(wider, anyOf)
  }
  return choose([...found.values()], limit).map((candidate) => toHit(index, candidate))

  /** Adds what these find, after what was found before. */
  function take(used: Term[], join: (terms: Term[]) => string): void {
    const added = new Map<string, Candidate>()
    collect(added, index.match(join(used), { inText: false }))
    // A word that stands in so many headings stands in nearly all texts, which would take long and say less.
    if (added.size < enoughTitles) collect(added, index.match(join(inTexts(used)), { inText: true }))
    const sorted = [...added].sort(([, a], [, b]) => b.score - a.score || compare(a, b))
    for (const [name, candidate] of sorted) found.set(name, { ...candidate, terms: used })
  }

  function collect(added: Map<string, Candidate>, matches: Iterable<MatchedSection>): void {
    let count = 0
    for (const match of matches) {
      for (const searched of pagesOf(match.pageId)) {
        if (!isWanted(searched, query)) continue
        count++
        const name = `${match.id} ${searched.page.route}`
        const score = scoreOf(match, searched, wanted)
        if (!found.has(name))
          added.set(name, { match, searched, score: Math.max(score, added.get(name)?.score ?? score) })
      }
      if (count >= mostCandidates) return
    }
  }

  function pagesFound(): number {
    return new Set([...found.values()].map(({ searched }) => searched.page.route)).size
  }
}

/** A page of another language or version is left out; one that belongs to none is not. */
function isWanted({ isHidden, language, version }: SearchedPage, query: SearchQuery): boolean {
  if (isHidden) return false
  if (query.language !== null && language !== null && language !== query.language) return false
  return query.version === null || version === null || version === query.version
}

function scoreOf(match: MatchedSection, { page, boost }: SearchedPage, wanted: string): number {
  const score = match.score * boost
  if (!match.isPage) return score
  const title = foldText(page.title)
  if (title === wanted) return score + exactTitle
  return title.startsWith(wanted) ? score * beginningOfTitle : score
}

/** The same order every time. */
function compare(a: Candidate, b: Candidate): number {
  const [one, other] = [a.searched.page.route, b.searched.page.route]
  return one < other ? -1 : one > other ? 1 : a.match.id - b.match.id
}

function choose<One extends Candidate>(candidates: One[], limit: number): One[] {
  const chosen: One[] = []
  const perPage = new Map<string, number>()
  for (const candidate of candidates) {
    if (chosen.length >= limit) break
    const { route } = candidate.searched.page
    const count = perPage.get(route) ?? 0
    if (count >= mostPerPage) continue
    perPage.set(route, count + 1)
    chosen.push(candidate)
  }
  return chosen
}

function toHit(index: IndexedSections, { match, searched, terms }: Candidate & { terms: Term[] }): SearchHit {
  const { page, trail } = searched
  const section = index.section(match.id)
  const { description } = page.index.fields
  const text = match.isPage && description ? `${description}\n${section?.text ?? ''}` : (section?.text ?? '')
  return {
    route: page.route,
    anchor: section?.anchor ?? null,
    title: page.title,
    heading: match.isPage ? null : (section?.title ?? null),
    trail: trail(),
    excerpt: excerptOf(text, createMatcher(terms)),
  }
}
