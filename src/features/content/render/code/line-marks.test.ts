import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLineMarks } from './line-marks.ts'

// What means something to somebody, and what is broken.
const character = fc.constantFrom(...'ab1 \t<>&"\'`/*#{}[]()=-,!;:\\$\0é漢', '\ud800', '😀')

describe('readLineMarks', () => {
  test.each([
    { line: 'a() // [!code ++]', left: 'a()', mark: 'added' },
    { line: 'a() # [!code --]', left: 'a()', mark: 'removed' },
    { line: '<a> <!-- [!code ++] -->', left: '<a>', mark: 'added' },
    { line: 'a {} /* [!code --] */', left: 'a {}', mark: 'removed' },
    { line: '<a /> {/* [!code highlight] */}', left: '<a />', mark: 'highlighted' },
    { line: 'SELECT 1 -- [!code hl]', left: 'SELECT 1', mark: 'highlighted' },
    { line: 'a // [!code focus]', left: 'a', mark: 'focused' },
    { line: 'a // [!code error]', left: 'a', mark: 'error' },
    { line: 'a // [!code warning]', left: 'a', mark: 'warning' },
  ])('takes the mark out of $line', ({ line, left, mark }) => {
    const { lines, marks } = readLineMarks(line)
    expect(lines).toEqual([left])
    expect([...marks[0]!]).toEqual([mark])
  })

  test('a mark may be for several lines', () => {
    const { lines, marks } = readLineMarks('a // [!code ++:2]\nb\nc')
    expect(lines).toEqual(['a', 'b', 'c'])
    expect(marks.map((names) => [...names])).toEqual([['added'], ['added'], []])
  })

  test('a mark on a line of its own is for the next one, and the numbers stay those that were written', () => {
    const { lines, numbers, marks } = readLineMarks('a\n// [!code --]\nb\nc')
    expect(lines).toEqual(['a', 'b', 'c'])
    expect(numbers).toEqual([1, 3, 4])
    expect(marks.map((names) => [...names])).toEqual([[], ['removed'], []])
  })

  test('text without marks stays as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: character }).filter((line) => !/[\r\n]|\[!code/.test(line))),
        (written) => {
          const text = written.join('\n')
          expect(readLineMarks(text).lines.join('\n')).toBe(text)
        },
      ),
    )
  })
})
