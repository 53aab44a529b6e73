import { describe, expect, test } from 'vitest'
import { codeStylesheet } from './code-stylesheet.ts'
import { kindsTheme, tokenKinds } from './token-kinds.ts'

// The backgrounds that code stands on, and those of marked lines, which are a little further from white and black.
const backgrounds = { light: ['#ffffff', '#eef0f3', '#e2ecfd'], dark: ['#0b0d10', '#1c2027', '#1c2a40'] }

describe('kinds of tokens', () => {
  test.each(tokenKinds)('$name can be read in both themes', ({ light, dark }) => {
    for (const background of backgrounds.light) expect(contrast(light, background)).toBeGreaterThan(4.5)
    for (const background of backgrounds.dark) expect(contrast(dark, background)).toBeGreaterThan(4.5)
  })

  test('the stylesheet has a colour for each', () => {
    for (const kind of tokenKinds.keys()) {
      if (kind > 0) expect(codeStylesheet).toContain(`\n.t${kind}{color:`)
    }
    expect(kindsTheme.settings!.length).toBeGreaterThan(tokenKinds.length)
  })
})

/** As WCAG defines it. */
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
