import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { readExport } from '#tests/harness/read-export.ts'
import { allTime, everythingOf, newView, noon } from '../event-fixture.contract.ts'
import { openDuckdbFile } from './connection.ts'
import { openDuckdbEvents } from './duckdb-events.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-texts-'))
  file = join(folder, 'analytics.duckdb')
})
afterEach(() => rm(folder, { recursive: true }))

const open = () => openDuckdbEvents({ file, memoryMb: 128, log })

async function textsInFile(): Promise<string[]> {
  const duckdb = await openDuckdbFile({ file, memoryMb: 128 })
  const rows = await (await duckdb.connect()).query('select text from texts order by text')
  duckdb.close()
  return rows.map(({ text }) => String(text))
}

test('texts that no view in the tail names any more are gone, and those that one names are not', async () => {
  const store = open()
  const referrer = 'https://secret.example/'
  await store.append([newView({ path: '/folded', referrer })])
  await store.compact()
  await store.append([newView({ path: '/gone', projectId: 'prj_2', referrer })])
  await store.append([newView({ path: '/kept' })])
  await store.deleteProject('prj_2')
  expect((await store.views(everythingOf())).rows.map(({ path }) => path)).toEqual(['/folded', '/kept'])
  await store.close()
  expect((await textsInFile()).filter((text) => text === '/folded' || text === '/gone' || text === referrer)).toEqual(
    [],
  )
})

test('callers who come together share their texts, and each view keeps its own', async () => {
  const store = open()
  const referrers = [null, '/0', 'https://a.example/']
  const calls = Array.from({ length: 6 }, (_, call) =>
    [0, 1, 2].map((at) => newView({ at: noon + call * 1000, path: `/${(call + at) % 4}`, referrer: referrers[at]! })),
  )
  await Promise.all(calls.map((views) => store.append(views)))
  const expected = calls.flat().map(({ at, path, referrer }) => JSON.stringify([at, path, referrer]))
  const exported = await readExport(
    'jsonl',
    await store.exportViews({ projectId: 'prj_1', range: allTime, format: 'jsonl' }),
  )
  const found = exported.map(({ timestamp, path, referrer }) =>
    JSON.stringify([Date.parse(String(timestamp)), path, referrer]),
  )
  expect(found.sort()).toEqual(expected.sort())
  await store.close()
  expect(await textsInFile()).toEqual(['/0', '/1', '/2', '/3', 'https://a.example/'])
})

test('a tail that is folded in parts keeps the texts of the part that is left', async () => {
  const store = open()
  // More than are folded at a time, all of one append, and so with the same texts.
  const views = Array.from({ length: 250_010 }, (_, index) =>
    newView({ at: noon + index, path: index % 2 ? '/odd' : '/even', visitor: BigInt(index % 50) }),
  )
  await store.append(views)
  await store.compact()
  expect((await store.views(everythingOf())).rows).toMatchObject([
    { path: '/even', total: 125_005 },
    { path: '/odd', total: 125_005 },
  ])
  await store.close()
  expect(await textsInFile()).toEqual([])
})

// As version 1 made it, with the tables that later versions changed.
const firstVersion = `
  create table projects (id uinteger not null, name varchar not null);
  create table pages (id uinteger not null, project uinteger not null, path varchar not null);
  create table referrers (id uinteger not null, url varchar not null);
  create table kinds (
    id usmallint not null, category varchar not null, client varchar, reason varchar not null,
    verification varchar not null, source varchar not null
  );
  create table lists (id usmallint not null, version varchar not null);
  create table tail (
    seq bigint not null, project uinteger not null, ts bigint not null, path varchar not null, visitor ubigint not null,
    event ubigint, kind usmallint not null, list usmallint not null, class utinyint not null, referrer varchar
  );
  create table views (
    project uinteger not null, ts bigint not null, page uinteger not null, visitor ubigint not null,
    event ubigint, kind usmallint not null, list usmallint not null, class utinyint not null, referrer uinteger
  );
  create table cells (
    project uinteger not null, day usmallint not null, page uinteger not null, previous usmallint not null,
    human integer not null, ai integer not null, direct integer not null,
    total integer not null, total_direct integer not null,
    human_views integer not null, ai_views integer not null, direct_views integer not null
  );
  create table facts (version integer not null, merged_cells integer not null);
  insert into facts values (1, 0);
  insert into projects values (1, 'prj_1');
  insert into kinds values (1, 'human', null, 'stated', 'none', 'events');
  insert into lists values (1, '1');
  insert into tail values
    (1, 1, ${noon}, '/a', 1, 7, 1, 1, 1, 'https://a.example/'), (2, 1, ${noon}, '/b', 2, null, 1, 1, 1, null),
    (3, 1, ${noon}, '/a', 2, 8, 1, 1, 1, '/a');`

test('a file of the first version keeps the views of its tail, and takes more', async () => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(firstVersion)
  connection.closeSync()
  instance.closeSync()
  const store = open()
  await store.append([newView({ path: '/a', visitor: 3n }), newView({ path: '/a', visitor: 9n, eventId: 7n })])
  for (const _form of ['appended', 'compacted']) {
    expect(await store.visitors(everythingOf())).toMatchObject({
      totals: { total: 3 },
      rows: [
        { path: '/a', total: 3 },
        { path: '/b', total: 1 },
      ],
    })
    const exported = await readExport(
      'jsonl',
      await store.exportViews({ projectId: 'prj_1', range: allTime, format: 'jsonl' }),
    )
    expect(exported.map(({ path, referrer }) => [path, referrer])).toEqual([
      ['/a', 'https://a.example/'],
      ['/a', '/a'],
      ['/a', null],
      ['/b', null],
    ])
    await store.compact()
  }
  await store.close()
})
