import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { addEdition, keepOutline, keepRender } from './edition-writes.ts'
import { createSiteReader } from './site-reader.ts'
import { ensureTables } from './site-schema.ts'

function open() {
  const db = new DatabaseSync(':memory:')
  ensureTables(db)
  return { db, reader: createSiteReader(db, 'file') }
}

test('rendered pages take so much room and no more: the oldest go first', () => {
  const { db } = open()
  const value = new Uint8Array(4_000_000)
  for (let at = 0; at < 20; at++) keepRender(db, { key: `k${at}`, value })
  const kept = (db.prepare('select key from render order by id').all() as { key: string }[]).map(({ key }) => key)
  expect(kept).toEqual(Array.from({ length: 16 }, (_, at) => `k${at + 4}`))
})

test('an edition is kept only with all of its pages', () => {
  const { db, reader } = open()
  const source = { kind: 'file' as const, path: 'a.mdx' }
  const pages = [{ route: '/a', source, key: 'lost' }]
  expect(addEdition(db, { name: 'one', settings: '', pages, now: 1 })).toEqual(['lost'])
  expect(reader.findEdition('one')).toBe(null)
})

test('outlines of specifications are kept, also that a file is none, and the oldest go first', () => {
  const { db, reader } = open()
  for (let at = 0; at < 60; at++) keepOutline(db, { id: `s${at}`, value: { outline: null } })
  expect(reader.findOutline('s59')).toEqual({ outline: null })
  expect(reader.findOutline('s0')).toBe(null)
})
