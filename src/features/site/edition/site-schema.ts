import type { DatabaseSync } from 'node:sqlite'
import { randomBase62 } from '#base/ids.ts'

/** Part of the file's name: a process of another version has a file of its own, and neither spoils the other's. */
export const siteFileVersion = 1

/** A section's number is its page's times this, plus its place on the page. */
export const mostSectionsPerPage = 4096

/**
 * What is kept of a project's site. Pages are kept by what they were made from, so that editions share them; the numbers
 * of pages are never given again, so an edition in memory can be asked by them however long ago it was read.
 */
const tables = `
  create table file (id text not null) strict;
  create table page (
    id integer primary key autoincrement,
    key text not null unique,
    fields text not null,
    headings text not null,
    warnings text not null,
    added_at integer not null
  ) strict;
  create table section (
    id integer primary key,
    -- 1: made for the page's title alone, which has no text before its first heading.
    is_made integer not null,
    anchor text,
    title text not null,
    text text not null
  ) strict;
  -- Words as words.ts makes them, so the tokenizer has only to part them at spaces.
  create virtual table section_words using fts5 (
    title, page, heading, text, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
  );
  -- Titles and headings alone: what the first letters of a word, or a word that is everywhere, can be looked up in.
  create virtual table title_words using fts5 (
    title, heading, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'", prefix = '1 2'
  );
  create table word (
    first text not null,
    length integer not null,
    word text not null,
    primary key (first, length, word)
  ) strict, without rowid;
  create table render (
    id integer primary key autoincrement,
    key text not null unique,
    bytes integer not null,
    value blob not null
  ) strict;
  create table edition (
    name text primary key,
    settings text not null,
    pages blob not null,
    times blob,
    used_at integer not null
  ) strict;
  create table outline (id text primary key, value text not null) strict;
`

/** Makes the tables where there are none yet. */
export function ensureTables(db: DatabaseSync): void {
  inTransaction(db, () => {
    if (db.prepare(`select 1 from sqlite_schema where name = 'file'`).get()) return
    db.exec(tables)
    db.prepare('insert into file (id) values (?)').run(randomBase62(22))
  })
}

export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('begin immediate')
  try {
    const result = work()
    db.exec('commit')
    return result
  } catch (error) {
    // SQLite may have rolled it back already.
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}
