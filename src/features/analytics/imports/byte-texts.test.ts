import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteTexts, wordsOf } from './byte-texts.ts'

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', 'ab', '\0', 'é', '😀'))

test('each text has one number, the same for its bytes wherever they stand, and comes back as it was', () => {
  const texts = createByteTexts()
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText, fc.boolean(), fc.nat({ max: 9 })), { maxLength: 60 }), (steps) => {
      texts.clear()
      const expected: string[] = []
      for (const [text, isInBytes, before] of steps) {
        if (!expected.includes(text)) expected.push(text)
        const bytes = Buffer.concat([Buffer.alloc(before, 'x'), Buffer.from(text), Buffer.from('after')])
        const number = isInBytes
          ? texts.numberOf(wordsOf(bytes), before, before + Buffer.byteLength(text))
          : texts.numberOfText(text)
        expect(number).toBe(expected.indexOf(text))
        expect(texts.textAt(number)).toBe(text)
      }
      expect(texts.texts()).toEqual(expected)
      expect([texts.count, texts.byteLength]).toEqual([expected.length, Buffer.byteLength(expected.join(''))])
    }),
  )
})

test('a hundred thousand texts are told apart', () => {
  const texts = createByteTexts()
  const all = Array.from({ length: 100_000 }, (_, index) => `text ${index}`)
  expect(all.map((text) => texts.numberOfText(text))).toEqual(all.keys().toArray())
  expect(all.map((text) => texts.numberOfText(text))).toEqual(all.keys().toArray())
  expect(texts.texts()).toEqual(all)
})

test('what is no text becomes one: half of a character is replaced', () => {
  const texts = createByteTexts()
  texts.numberOfText('a\ud83d')
  expect(texts.texts()).toEqual(['a\ufffd'])
})
