import fc from 'fast-check'
import { expect, test } from 'vitest'
import { remoteLine } from './remote-line.ts'

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
  expect(remoteLine(text)).toBe(line)
})

test('whatever a receiver says becomes one short line that can be stored and shown', () => {
  const bytes = fc.uint8Array({ maxLength: 1024 }).map((raw) => Buffer.from(raw).toString('utf8'))
  fc.assert(
    fc.property(fc.oneof(bytes, fc.string({ unit: 'binary', maxLength: 1024 })), (text) => {
      const line = remoteLine(text)
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|\s\s|^\s|\s$/u)
      expect(line.isWellFormed()).toBe(true)
      expect([...line].length).toBeLessThanOrEqual(501)
    }),
  )
  expect(remoteLine('ä'.repeat(600))).toBe(`${'ä'.repeat(500)}…`)
})
