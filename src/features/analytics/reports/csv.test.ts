import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a table is a line of names and a line for each row, ended by CRLF', () => {
  const rows = [
    ['/', 3],
    ['/guide', 1],
  ]
  expect(toCsv(['path', 'total'], rows)).toBe('path,total\r\n/,3\r\n/guide,1\r\n')
  expect(toCsv(['path', 'total'], [])).toBe('path,total\r\n')
})

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['＝1', "'＝1"],
  ['/a=b', '/a=b'],
  ['日本語', '日本語'],
])('the text %j is the cell %j', (text, cell) => {
  expect(toCsv(['name'], [[text]])).toBe(`name\r\n${cell}\r\n`)
})

test('a negative number is a number, not a formula', () => {
  expect(toCsv(['n'], [[-1]])).toBe('n\r\n-1\r\n')
})

test('whatever the cells hold, a reader of CSV finds them again, and no formula among them', () => {
  const cells = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', '=', ';', ' ', 'é'), maxLength: 8 })
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cells, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
  fc.assert(
    fc.property(tables, (rows) => {
      const names = rows[0]!.map((_, column) => `c${column}`)
      const [, ...read] = parseCsv(toCsv(names, rows))
      expect(read.map((row) => row.map((cell) => cell.replace(/^'(?=[=\r\n])/, '')))).toEqual(rows)
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=\r\n]/)
    }),
  )
})

/** As RFC 4180 has it, and no more. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '') break
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!)
    if (end === '\r\n') rows.push([])
  }
  expect(rows.pop()).toEqual([])
  return rows
}
