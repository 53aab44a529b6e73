import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachWord, foldText, wordsOfQuery } from './words.ts'

function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (word) => words.push(word))
  return words
}

test.each([
  ['Getting started, quickly', ['getting', 'started', 'quickly']],
  ['call getUserId()', ['call', 'getuserid', 'get', 'user', 'id']],
  ['max_retry_count = 5', ['max_retry_count', 'max', 'retry', 'count', '5']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['__init__ and _private', ['init', 'and', 'private']],
  ['/v1/users/{id}', ['v1', 'users', 'id']],
  ['Ångström Straße naïve', ['angstrom', 'strasse', 'naive']],
  ['Ｄｏｃｋｅｒ', ['docker']],
  ['使用Docker部署', ['使用', '用', 'docker', '部署', '署']],
  ['문서를', ['문서', '서를', '를']],
  ['हिन्दी में', ['हिन्दी', 'में']],
  ['¡🚀! \0 —', []],
])('%j is known by its words', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('the place of a word is where it stands in the text', () => {
  const text = 'Use getUserId in Straße 部署'
  const places: string[] = []
  eachWord(text, (_, start, end) => places.push(text.slice(start, end)))
  expect(places).toEqual(['Use', 'getUserId', 'get', 'User', 'Id', 'in', 'Straße', '部署', '署'])
})

test('a word is the same however a text around it is written', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aZ_9éß使用문 .-"\0😀'), maxLength: 30 })
  fc.assert(
    fc.property(letters, letters, (before, after) => {
      expect(wordsOf(`${before} | ${after}`)).toEqual([...wordsOf(before), ...wordsOf(after)])
    }),
  )
})

test('words hold nothing that a search expression could take for its own syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(wordsOf(text).join(' ')).toMatch(/^[\p{L}\p{N}\p{M}_ ]*$/u)
    }),
  )
})

test('every word of a text is found by a query of that word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const known = new Set(wordsOf(text))
      for (const { whole } of wordsOfQuery(text)) expect(known).toContain(whole)
    }),
  )
})

test('the last word of a query counts as a beginning, unless something stands after it', () => {
  expect(wordsOfQuery('deploy dock').map(({ isPrefix }) => isPrefix)).toEqual([false, true])
  expect(wordsOfQuery('deploy dock ').map(({ isPrefix }) => isPrefix)).toEqual([false, false])
  expect(wordsOfQuery('署')[0]).toMatchObject({ whole: '署', isPrefix: true })
})

test('titles are compared by their words alone', () => {
  expect(foldText('  The “Übersicht”! ')).toBe(foldText('the ubersicht'))
})
