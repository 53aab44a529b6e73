import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

test.each([
  ['UTF-8', Buffer.from('café 日本'), 'café 日本'],
  ['UTF-8 with a mark', Buffer.from('\ufeffcafé'), '\ufeffcafé'],
  ['UTF-16 as Windows writes it', Buffer.from('\ufeff# café', 'utf16le'), '# café'],
  ['UTF-16 the other way round', Buffer.from('\ufeff# café', 'utf16le').swap16(), '# café'],
  ['one byte for each character', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x78, 0x94]), 'café “x”'],
  ['nothing', Buffer.alloc(0), ''],
  ['a single byte', Buffer.from([0xff]), 'ÿ'],
])('%s is read as it was meant', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text)
})
