import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml, html } from './html.ts'

test('a template keeps its values apart from its markup', () => {
  const page = html`<p title="${'"'}">${'<'}${[html`<b>${'&'}</b>`, null, undefined, false, 0, ['>']]}</p>`
  expect(page.text).toBe('<p title="&quot;">&lt;<b>&amp;</b>0&gt;</p>')
})

test('escaped text holds nothing that ends a text or an attribute, and says the same', () => {
  const back: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeHtml(text)
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      expect(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => back[entity]!)).toBe(text.toWellFormed())
    }),
  )
})
