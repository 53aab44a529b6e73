import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsTable } from './describe.ts'

test('README lists every setting as it is', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  const table = settingsTable()
  expect(readme.includes(table), `README.md's table of settings is out of date; it should be:\n\n${table}\n`).toBe(true)
})
