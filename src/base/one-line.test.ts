import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test.each([
  ['', ''],
  [' \r\n\t ', ''],
  ['plain words', 'plain words'],
  ['日本語 é 👩‍👩‍👧', '日本語 é 👩 👩 👧'],
  ['two\r\nlines\n\n', 'two lines'],
  ['\u001b[31mred\u0007\u0000', '[31mred'],
  ['turned \u202e around \u2066', 'turned around'],
  ['half \ud800 pair', 'half \ufffd pair'],
  ['zero\u200bwidth\ufeff', 'zero width'],
  ['line\u2028and\u2029paragraph\u0085next', 'line and paragraph next'],
])('%j is shown as %j', (text, line) => {
  expect(oneLine(text, 500)).toBe(line)
})

test('whatever a stranger says becomes one short line that can be stored and shown', () => {
  const bytes = fc.uint8Array({ maxLength: 1024 }).map((raw) => Buffer.from(raw).toString('utf8'))
  fc.assert(
    fc.property(fc.oneof(bytes, fc.string({ unit: 'binary', maxLength: 1024 })), (text) => {
      const line = oneLine(text, 100)
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|\s\s|^\s|\s$/u)
      expect(line.isWellFormed()).toBe(true)
      expect([...line].length).toBeLessThanOrEqual(100)
    }),
  )
})

test('a long text is cut between characters, and says so', () => {
  expect(oneLine('👍'.repeat(6), 5)).toBe('👍👍👍👍…')
  expect(oneLine('👍'.repeat(5), 5)).toBe('👍👍👍👍👍')
})
