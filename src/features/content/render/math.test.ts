import fc from 'fast-check'
import { toHtml } from 'hast-util-to-html'
import { describe, expect, test } from 'vitest'
import { renderMath } from './math.ts'

const html = (tex: string, isBlock = false) => toHtml(renderMath(tex, { isBlock }))

describe('renderMath', () => {
  test('shows a formula in a line, and one by itself', () => {
    expect(html('x^2')).toMatch(/^<span class="math"><math><msup><mi>x<\/mi><mn[^>]*>2<\/mn><\/msup><\/math><\/span>$/)
    expect(html('x^2', true)).toMatch(/^<div class="math" data-display=""><math display="block"/)
  })

  test.each([
    { tex: '\\frac{1}{2}', has: '<mfrac><mn>1</mn><mn>2</mn></mfrac>' },
    { tex: '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', has: '<mtable>' },
    { tex: '\\begin{array}{|c|}\\hline a\\\\\\hline\\end{array}', has: 'math-top math-bottom' },
    { tex: '\\color{red}x', has: 'mathcolor="#ff0000"' },
    { tex: '\\boxed{x}', has: 'class="math-box"' },
    { tex: '\\text{a < b}', has: '<mtext>a\u00a0&#x3C;\u00a0b</mtext>' },
  ])('shows $tex without styles', ({ tex, has }) => {
    expect(html(tex, true)).toContain(has)
    expect(html(tex, true)).not.toContain(' style=')
  })

  test.each([
    '\\frac',
    '\\nonsense{x}',
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{https://example.com/x.png}',
    '\\style{background:url(//example.com)}{x}',
    '\\class{evil}{x}',
    '\\def\\a{\\a\\a}\\a',
    '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c\\c\\c\\c\\c\\c\\c\\c',
    '{'.repeat(2_400) + '}'.repeat(2_400),
    'x'.repeat(5_001),
  ])('shows what is no formula, or too much of one, as it was written', (tex) => {
    expect(renderMath(tex, { isBlock: true })).toMatchObject({
      tagName: 'code',
      properties: { className: ['math-error'] },
      children: [{ type: 'text', value: tex }],
    })
  })

  test('macros of one formula are unknown to the next', () => {
    expect(html('\\gdef\\mine{x}\\mine')).toContain('<math>')
    expect(html('\\mine')).toContain('math-error')
  })

  test('holds no links, images or styles, whatever it is given', () => {
    const piece = fc.constantFrom(
      '\\frac',
      '{',
      '}',
      'x',
      '^',
      '_',
      '\\href',
      '\\color{red}',
      '&',
      '\\\\',
      '<b>',
      '$',
      '%',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(html(pieces.join(''))).not.toMatch(/<(a|img|b|script)\b| style=|href=/)
      }),
    )
  })
})
