import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { PageFields, PageHeading, PageSection, RenderedPage, RenderWarning } from '#features/content/service.ts'
import type { IndexedSections } from '../search/indexed-sections.ts'
import type { KeptOutline, StoredPage } from './edition-writes.ts'
import { unpack } from './packed.ts'
import { mostSectionsPerPage } from './site-schema.ts'

/** What stands in a site's file. Everything throws when the file is damaged. */
export interface SiteReader extends IndexedSections {
  /** Of this very file: one that was made anew has other numbers for the same pages. */
  fileId: string
  findEdition(name: string): StoredPage[] | null
  /** Those of the edition with these settings that was used last. */
  findLastPages(settings: string): StoredPage[] | null
  findPageId(key: string): number | null
  findPage(key: string): { id: number; fields: PageFields; warnings: RenderWarning[] } | null
  headings(pageId: number): PageHeading[]
  sections(pageId: number): PageSection[]
  findRender(key: string): RenderedPage | null
  /** When files changed last, by path, in seconds. */
  findTimes(name: string): Map<string, number> | null
  /** Names of editions whose times are known, the last used first. */
  editionsWithTimes(): string[]
  /** Null when it is not known. */
  findOutline(id: string): KeptOutline | null
}

interface SectionRow {
  anchor: string | null
  title: string
  text: string
}

// A word counts most in the page's own title, then in a heading.
const matchText =
  'select rowid as id, bm25(section_words, 10, 2, 6, 1) as rank from section_words where section_words match ? order by rank'
const matchTitles =
  'select rowid as id, bm25(title_words, 10, 6) as rank from title_words where title_words match ? order by rank'

// A large site has some thousands with one first letter; one that has more was made to.
const mostWordsLike = 10_000

export function createSiteReader(db: DatabaseSync, fileId: string): SiteReader {
  const statements = new Map<string, StatementSync>()
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, known)
    return known
  }
  function find<Row>(sql: string, ...values: (string | number)[]): Row | null {
    return (prepare(sql).get(...values) as Row | undefined) ?? null
  }

  return {
    fileId,
    findEdition(name) {
      const row = find<{ pages: Uint8Array }>('select pages from edition where name = ?', name)
      return row && unpack<StoredPage[]>(row.pages)
    },
    findLastPages(settings) {
      const row = find<{ pages: Uint8Array }>(
        'select pages from edition where settings = ? order by used_at desc, rowid desc limit 1',
        settings,
      )
      return row && unpack<StoredPage[]>(row.pages)
    },
    findPageId: (key) => find<{ id: number }>('select id from page where key = ?', key)?.id ?? null,
    findPage(key) {
      const row = find<{ id: number; fields: string; warnings: string }>(
        'select id, fields, warnings from page where key = ?',
        key,
      )
      return row && { id: row.id, fields: JSON.parse(row.fields), warnings: JSON.parse(row.warnings) }
    },
    headings(pageId) {
      const row = find<{ headings: string }>('select headings from page where id = ?', pageId)
      return row ? JSON.parse(row.headings) : []
    },
    sections(pageId) {
      const start = pageId * mostSectionsPerPage
      const rows = prepare(
        'select anchor, title, text from section where id between ? and ? and is_made = 0 order by id',
      ).all(start, start + mostSectionsPerPage - 1) as unknown as SectionRow[]
      return rows.map(({ anchor, title, text }) => ({ id: anchor, title, text }))
    },
    findRender(key) {
      const row = find<{ value: Uint8Array }>('select value from render where key = ?', key)
      return row && unpack<RenderedPage>(row.value)
    },
    findTimes(name) {
      const row = find<{ times: Uint8Array }>('select times from edition where name = ? and times is not null', name)
      return row && new Map(unpack<[string, number][]>(row.times))
    },
    editionsWithTimes() {
      const rows = prepare('select name from edition where times is not null order by used_at desc').all()
      return (rows as { name: string }[]).map(({ name }) => name)
    },
    findOutline(id) {
      const row = find<{ value: string }>('select value from outline where id = ?', id)
      return row && JSON.parse(row.value)
    },

    *match(expression, { inText }) {
      const rows = prepare(inText ? matchText : matchTitles).iterate(expression)
      for (const { id, rank } of rows as Iterable<{ id: number; rank: number }>) {
        const pageId = Math.floor(id / mostSectionsPerPage)
        yield { id, pageId, isPage: id === pageId * mostSectionsPerPage, score: -rank }
      }
    },
    wordsLike({ first, shortest, longest }) {
      const rows = prepare('select word from word where first = ? and length between ? and ? limit ?').all(
        first,
        shortest,
        longest,
        mostWordsLike,
      )
      return (rows as { word: string }[]).map(({ word }) => word)
    },
    section: (id) => find<SectionRow>('select anchor, title, text from section where id = ?', id),
  }
}
