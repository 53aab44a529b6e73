import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { PageIndex, PageSection } from '#features/content/service.ts'
import { eachWord } from '../search/words.ts'
import { inTransaction, mostSectionsPerPage } from './site-schema.ts'

export interface IndexedPage {
  key: string
  title: string
  index: PageIndex
}

// Shorter ones have too many neighbours to guess among; longer ones are keys and hashes.
const misspeltLengths = { least: 3, most: 30 }

// A text of a million different words is no text.
const mostWordsAtOnce = 50_000

/** Keeps what was found out about pages. Those that are there already stay as they are. */
export function addPages(db: DatabaseSync, { pages, now }: { pages: IndexedPage[]; now: number }): void {
  inTransaction(db, () => {
    const page = db.prepare(
      'insert into page (key, fields, headings, warnings, added_at) values (?, ?, ?, ?, ?) on conflict (key) do nothing returning id',
    )
    const statements = prepareSections(db)
    const known = knownWords(db)
    const words = new Set<string>()
    // All pages before any section: a statement that may fail in its middle makes the index of words write down what it
    // has so far, which takes longer than all else.
    const added = pages.flatMap(({ key, title, index }) => {
      const json = [index.fields, index.headings, index.warnings].map((part) => JSON.stringify(part))
      const row = page.get(key, ...json, now) as { id: number } | undefined
      return row ? [{ pageId: row.id, title, index, words }] : []
    })
    for (const one of added) addSections(statements, one)
    const word = db.prepare('insert into word (first, length, word) values (?, ?, ?) on conflict do nothing')
    for (const one of words) {
      if (known.has(one)) continue
      word.run(one[0]!, one.length, one)
      known.add(one)
    }
  })
}

// Pages have most words in common.
const wordsOf = new WeakMap<DatabaseSync, Set<string>>()
const mostKnown = 100_000

function knownWords(db: DatabaseSync): Set<string> {
  const known = wordsOf.get(db)
  if (known && known.size < mostKnown) return known
  const none = new Set<string>()
  wordsOf.set(db, none)
  return none
}

interface SectionStatements {
  section: StatementSync
  words: StatementSync
  titles: StatementSync
}

function prepareSections(db: DatabaseSync): SectionStatements {
  return {
    section: db.prepare('insert into section (id, is_made, anchor, title, text) values (?, ?, ?, ?, ?)'),
    words: db.prepare('insert into section_words (rowid, title, page, heading, text) values (?, ?, ?, ?, ?)'),
    titles: db.prepare('insert into title_words (rowid, title, heading) values (?, ?, ?)'),
  }
}

function addSections(
  statements: SectionStatements,
  page: { pageId: number; title: string; index: PageIndex; words: Set<string> },
): void {
  const { pageId, index, words } = page
  const { fields } = index
  const [first, ...rest] = index.sections
  const hasLead = first !== undefined && first.id === null
  const lead = hasLead ? first : { id: null, title: '', text: '' }
  const title = wordsIn(page.title, words)
  const keywords = wordsIn(fields.keywords.join(' '), words)
  const others = cut(hasLead ? rest : index.sections)
  const start = pageId * mostSectionsPerPage

  statements.section.run(start, hasLead ? 0 : 1, null, clean(lead.title), clean(lead.text))
  // The page's own words stand with the section before its first heading: that one is the page.
  const description = wordsIn(`${fields.description ?? ''}\n${lead.text}`, words)
  statements.words.run(start, title, '', keywords, description)
  statements.titles.run(start, title, keywords)
  for (const [number, { id, title: heading, text }] of others.entries()) {
    const rowId = start + number + 1
    statements.section.run(rowId, 0, id, clean(heading), clean(text))
    const own = wordsIn(heading, words)
    statements.words.run(rowId, '', title, own, wordsIn(text, words))
    statements.titles.run(rowId, '', own)
  }
}

/** As many as there are numbers for; the last has the text of all the others. */
function cut(sections: PageSection[]): PageSection[] {
  if (sections.length < mostSectionsPerPage) return sections
  const kept = sections.slice(0, mostSectionsPerPage - 2)
  const rest = sections.slice(mostSectionsPerPage - 2)
  return [...kept, { ...rest[0]!, text: rest.map(({ title, text }) => `${title}\n${text}`).join('\n') }]
}

function wordsIn(text: string, known: Set<string>): string {
  let joined = ''
  eachWord(text, (word) => {
    joined += `${word} `
    const { least, most } = misspeltLengths
    if (word.length >= least && word.length <= most && known.size < mostWordsAtOnce) known.add(word)
  })
  return joined
}

/** SQLite's texts end at a NUL for some of its functions. */
function clean(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
