import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFenceMeta, parseLineNumbers } from './fence-meta.ts'

// What means something to somebody, and what is broken.
const character = fc.constantFrom(...'ab1 \t<>&"\'`/*#{}[]()=-,!;:\\$\0é漢', '\ud800', '😀')

describe('parseFenceMeta', () => {
  test.each([
    { meta: 'helloWorld.js', says: { title: 'helloWorld.js' } },
    { meta: 'Show line numbers example lines', says: { title: 'Show line numbers example', hasLineNumbers: true } },
    { meta: 'title="utils/hello.js"', says: { title: 'utils/hello.js' } },
    { meta: "title='a b' wrap", says: { title: 'a b', wraps: true } },
    { meta: 'filename="a.ts"', says: { title: 'a.ts' } },
    { meta: '"A title in quotes"', says: { title: 'A title in quotes' } },
    { meta: 'Example {1,3-4}', says: { title: 'Example', highlighted: [1, 3, 4] } },
    { meta: 'highlight={1-2,5}', says: { title: null, highlighted: [1, 2, 5] } },
    { meta: 'highlight=1', says: { highlighted: [1] } },
    { meta: 'focus=2,4,5', says: { focused: [2, 4, 5] } },
    { meta: 'HelloWorld.java example icon=java lines', says: { title: 'HelloWorld.java example', icon: 'java' } },
    { meta: 'icon="square-js" expandable', says: { icon: 'square-js', isExpandable: true } },
    { meta: 'nocopy', says: { title: null, hidesCopy: true } },
    { meta: 'nocopy="false"', says: { hidesCopy: false } },
    { meta: 'lines={true}', says: { hasLineNumbers: true } },
    { meta: 'twoslash Example', says: { title: 'Example' } },
    { meta: "theme={'github'} a.js", says: { title: 'a.js', options: {} } },
    { meta: 'placement="top-left" actions={true}', says: { options: { placement: 'top-left', actions: 'true' } } },
    { meta: null, says: { title: null, highlighted: [], options: {} } },
  ])('reads $meta', ({ meta, says }) => {
    expect(parseFenceMeta(meta)).toMatchObject(says)
  })

  test('reads anything, and names no more lines than a block may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 300 }), (meta) => {
        expect(parseFenceMeta(meta).highlighted.length).toBeLessThan(100_000)
      }),
    )
    expect(parseLineNumbers('1-999999').length).toBe(20_000)
    expect(parseFenceMeta(`{${'1-999999,'.repeat(100)}}`).highlighted.length).toBe(20_000)
  })
})
