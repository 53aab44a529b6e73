/**
 * The tables of the analytics file. A view goes first to `tail`, which costs nothing but its commit, and is folded from
 * there into `views` and `cells` (see fold.ts).
 *
 * `cells` is what makes unique visitors cheap. For each page and each visitor, a day on which the visitor was seen is a
 * point (day, the day before that on which the visitor was seen). A visitor of the days [from, to) has exactly one point
 * with `from <= day < to` and `previous < from`: that of the first of those days. So counting such points counts
 * visitors, for any from and to, without ever comparing visitors. A cell is how many points there are at one place, for
 * each class of reader. Page 0 stands for the whole site.
 *
 * `returns` has the same points one by one, with their visitors, but for each visitor's first: for the visitors of a part
 * of a day, it says whether they were there on other days too. `bits` are the measures it counts for (see cells.ts).
 *
 * In `views`, `first_of_day` is false where the same visitor had been on the same page on that day, as the same class of
 * reader: who asks which visitors were there on which days need not look at those. In a file of before, it may be true.
 *
 * There are no keys or indexes: DuckDB keeps those in memory, and this process is the only one that writes.
 */
export const schemaVersion = 4

/** Texts of the tail stand apart, once for each commit; `last` is the last row of the tail that may name one. */
export const createTail = `
  create table texts (id bigint not null, last bigint not null, text varchar not null);
  create table tail (
    seq bigint not null, project uinteger not null, ts bigint not null, path bigint not null, visitor ubigint not null,
    event ubigint, kind usmallint not null, list usmallint not null, class utinyint not null, referrer bigint not null
  );
`

export const createReturns = `
  create table returns (
    project uinteger not null, day usmallint not null, page uinteger not null, previous usmallint not null,
    visitor ubigint not null, bits utinyint not null
  );
`

/** What `referrer` in the tail is where there is none. Texts start at 1. */
export const noText = 0

export const createTables = `
  ${createTail}
  create table projects (id uinteger not null, name varchar not null);
  create table pages (id uinteger not null, project uinteger not null, path varchar not null);
  create table referrers (id uinteger not null, url varchar not null);
  create table kinds (
    id usmallint not null, category varchar not null, client varchar, reason varchar not null,
    verification varchar not null, source varchar not null
  );
  create table lists (id usmallint not null, version varchar not null);
  create table views (
    project uinteger not null, ts bigint not null, page uinteger not null, visitor ubigint not null,
    event ubigint, kind usmallint not null, list usmallint not null, class utinyint not null, referrer uinteger,
    first_of_day boolean not null
  );
  create table cells (
    project uinteger not null, day usmallint not null, page uinteger not null, previous usmallint not null,
    human integer not null, ai integer not null, direct integer not null,
    total integer not null, total_direct integer not null,
    human_views integer not null, ai_views integer not null, direct_views integer not null
  );
  ${createReturns}
  create table facts (version integer not null, merged_cells integer not null);
  insert into facts values (${schemaVersion}, 0);
`

/** Classes of readers, as numbers in `class`: 0 counts nowhere. */
export const classes = { none: 0, human: 1, directAi: 2, otherAi: 3 } as const

export const dayMs = 86_400_000
