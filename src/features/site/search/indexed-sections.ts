/** What search asks of the file that the sections of all editions of a site are kept in. */
export interface IndexedSections {
  /** Sections that match, the best first. Those of other editions are among them. Without `inText`, titles and headings alone are looked at. */
  match(expression: string, options: { inText: boolean }): Iterable<MatchedSection>
  /** Words of the site with this first letter, and so long. */
  wordsLike(form: { first: string; shortest: number; longest: number }): string[]
  section(id: number): { anchor: string | null; title: string; text: string } | null
}

export interface MatchedSection {
  id: number
  pageId: number
  /** It is the one that stands for the page itself: what is before the first heading. */
  isPage: boolean
  score: number
}
