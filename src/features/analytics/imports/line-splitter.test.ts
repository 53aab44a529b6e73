import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter, rawOf, textOf } from './line-splitter.ts'

/** What comes out of these chunks, with long lines as null. */
function split(chunks: Buffer[], { from = 0, isWhole = true } = {}) {
  const lines: ({ raw: string; text: string; start: number; end: number } | null)[] = []
  const ends: number[] = []
  const splitter = createLineSplitter({
    from,
    onLine: (line) => lines.push({ raw: rawOf(line), text: textOf(line), start: line.start, end: line.end }),
    onLongLine: (end) => {
      lines.push(null)
      ends.push(end)
    },
  })
  for (const chunk of chunks) splitter.push(chunk)
  return { left: splitter.finish({ isWhole }), lines, ends }
}

function cutAt(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\n\n', '\0', '\ufeff', 'é', '\r'),
      fc.string(),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    ),
  )
  .map((parts) => Buffer.from(parts.join(''), 'latin1'))

test('how bytes are cut into chunks changes no line and no position', () => {
  fc.assert(
    fc.property(hostile, fc.array(fc.nat()), (bytes, places) => {
      expect(split(cutAt(bytes, places))).toEqual(split([bytes]))
    }),
  )
})

test('lines are those between line feeds, without a carriage return, read as UTF-8', () => {
  fc.assert(
    fc.property(hostile, (bytes) => {
      const { lines } = split([bytes], { isWhole: false })
      const expected = bytes.toString('latin1').split('\n').slice(0, -1)
      expect(lines.map((line) => line!.raw)).toEqual(expected.map((line) => line.replace(/\r$/, '')))
      for (const line of lines) {
        const { raw, text, start, end } = line!
        expect(text).toBe(Buffer.from(raw, 'latin1').toString('utf8'))
        expect(
          bytes
            .toString('latin1')
            .slice(start, end)
            .replace(/\r?\n$/, ''),
        ).toBe(raw)
      }
    }),
  )
})

test('a last line without an end is left, unless it is said to be whole', () => {
  const bytes = Buffer.from('one\ntwo')
  expect(split([bytes], { isWhole: false })).toMatchObject({ left: 3, lines: [{ raw: 'one', start: 0, end: 4 }] })
  expect(split([bytes]).lines).toMatchObject([{ raw: 'one' }, { raw: 'two', start: 4 }])
})

test.each([1, 1000, 100_000, 1_000_000])('a line beyond 64 kB is dropped whole, in chunks of %i bytes', (size) => {
  const bytes = Buffer.from(`a\n${'x'.repeat(size === 1 ? 70_000 : 300_000)}\nb\n`)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  const { lines, ends } = split(chunks)
  expect(lines.map((line) => line?.raw ?? null)).toEqual(['a', null, 'b'])
  expect(ends).toEqual([bytes.length - 2])
})
