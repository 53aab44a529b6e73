import type { DatabaseSync } from 'node:sqlite'
import type { PageSource, SpecOutline } from '#features/content/service.ts'
import { pack, unpack } from './packed.ts'
import { inTransaction, mostSectionsPerPage } from './site-schema.ts'

/** What an edition is made of, as it is kept. */
export interface StoredPage {
  route: string
  source: PageSource
  key: string
  /** The id of its file, where nothing else goes into the page. */
  file?: string
}

/** Null: it is no specification. */
export interface KeptOutline {
  outline: SpecOutline | null
}

// Going back to one of these is instant; older ones are made again, which costs no more than a first push.
const keptEditions = 8
// What somebody else may be building or reading just now. Longer than any build.
const restMs = 3_600_000
// A page that is rendered again costs some milliseconds.
const mostRenderBytes = 64_000_000
const mostOutlines = 50
// As many go at once, so that others get their turn in between.
const prunedAtOnce = 50

/** Keeps an edition if all of its pages are there; gives the keys of those that are not. */
export function addEdition(
  db: DatabaseSync,
  { name, settings, pages, now }: { name: string; settings: string; pages: StoredPage[]; now: number },
): string[] {
  return inTransaction(db, () => {
    const page = db.prepare('select id from page where key = ?')
    const missing = [...new Set(pages.map(({ key }) => key))].filter((key) => !page.get(key))
    if (missing.length > 0) return missing
    db.prepare(
      'insert into edition (name, settings, pages, used_at) values (?, ?, ?, ?) on conflict (name) do update set settings = excluded.settings, pages = excluded.pages, used_at = excluded.used_at',
    ).run(name, settings, pack(pages), now)
    return []
  })
}

export function touchEdition(db: DatabaseSync, { name, now }: { name: string; now: number }): void {
  db.prepare('update edition set used_at = max(used_at, ?) where name = ?').run(now, name)
}

/** When the files of an edition changed last, by path, in seconds. */
export function keepTimes(
  db: DatabaseSync,
  { name, times }: { name: string; times: [path: string, seconds: number][] },
): void {
  db.prepare('update edition set times = ? where name = ?').run(pack(times), name)
}

export function keepRender(db: DatabaseSync, { key, value }: { key: string; value: Uint8Array }): void {
  inTransaction(db, () => {
    const insert = db.prepare('insert into render (key, bytes, value) values (?, ?, ?) on conflict (key) do nothing')
    insert.run(key, value.byteLength, value)
    let { bytes } = db.prepare('select coalesce(sum(bytes), 0) as bytes from render').get() as { bytes: number }
    const oldest = db.prepare('delete from render where id = (select min(id) from render) returning bytes')
    while (bytes > mostRenderBytes) bytes -= (oldest.get() as { bytes: number }).bytes
  })
}

export function keepOutline(db: DatabaseSync, { id, value }: { id: string; value: KeptOutline }): void {
  inTransaction(db, () => {
    db.prepare('insert into outline (id, value) values (?, ?) on conflict (id) do nothing').run(
      id,
      JSON.stringify(value),
    )
    db.prepare('delete from outline where rowid <= (select max(rowid) from outline) - ?').run(mostOutlines)
  })
}

/** Lets go of editions that nobody used for long, and of what only they had. Says whether there is more to do. */
export function prune(db: DatabaseSync, { inUse, now }: { inUse: string[]; now: number }): boolean {
  return inTransaction(db, () => {
    const editions = db.prepare('select name, used_at from edition order by used_at desc').all() as {
      name: string
      used_at: number
    }[]
    const old = editions
      .slice(keptEditions)
      .filter(({ name, used_at }) => used_at < now - restMs && !inUse.includes(name))
    const remove = db.prepare('delete from edition where name = ?')
    for (const { name } of old) remove.run(name)
    const needed = new Set<string>()
    for (const { pages } of db.prepare('select pages from edition').all() as { pages: Uint8Array }[]) {
      for (const { key } of unpack<StoredPage[]>(pages)) needed.add(key)
    }
    return removePages(db, { needed, before: now - restMs })
  })
}

function removePages(db: DatabaseSync, { needed, before }: { needed: ReadonlySet<string>; before: number }): boolean {
  const pages = db.prepare('select id, key from page where added_at < ?').all(before) as { id: number; key: string }[]
  const unneeded = pages.filter(({ key }) => !needed.has(key))
  const remove = ['page where id = ?', 'render where key = ?'].map((what) => db.prepare(`delete from ${what}`))
  const sections = ['section where id', 'section_words where rowid', 'title_words where rowid'].map((what) =>
    db.prepare(`delete from ${what} between ? and ?`),
  )
  for (const { id, key } of unneeded.slice(0, prunedAtOnce)) {
    remove[0]!.run(id)
    remove[1]!.run(key)
    const start = id * mostSectionsPerPage
    for (const statement of sections) statement.run(start, start + mostSectionsPerPage - 1)
  }
  return unneeded.length > prunedAtOnce
}
