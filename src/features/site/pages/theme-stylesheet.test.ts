import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, mix, parseColor } from './color-contrast.ts'
import { themeBackgrounds, themeName, themeStylesheet } from './theme-stylesheet.ts'

const appearance = { default: 'system', isFixed: false } as const
const noFonts = { body: null, heading: null }
const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
const colors = fc.record({
  primary: color,
  light: color,
  dark: color,
  backgroundLight: fc.option(color),
  backgroundDark: fc.option(color),
})

/** The values of a variable in light and dark. */
function values(css: string, name: string) {
  const [, light, dark] = new RegExp(`--${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(css)!
  return [parseColor(light!), parseColor(dark!)] as const
}

describe('the colours of a site', () => {
  test('are readable whatever the author chose: links, marked entries and buttons, in light and dark', () => {
    fc.assert(
      fc.property(colors, (chosen) => {
        const css = themeStylesheet({ colors: chosen, fonts: noFonts, appearance })
        const [backgrounds, primary, accent, fill, onFill] = ['bg', 'primary', 'accent', 'fill', 'on-fill'].map(
          (name) => values(css, name),
        ) as [ReturnType<typeof values>, ...ReturnType<typeof values>[]]
        for (const theme of [0, 1] as const) {
          expect(contrast(accent![theme], backgrounds[theme])).toBeGreaterThanOrEqual(4.5)
          expect(contrast(accent![theme], mix(backgrounds[theme], primary![theme], 0.1))).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onFill![theme], fill![theme])).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  test('stay as they are where they can be read', () => {
    const css = themeStylesheet({
      colors: { primary: '#166E3F', light: '#26BD6C', dark: '#166E3F', backgroundLight: null, backgroundDark: null },
      fonts: noFonts,
      appearance,
    })
    expect(css).toContain('--accent:light-dark(#166e3f,#26bd6c)')
  })

  test.each([
    ['#ffffff', '#101418', { light: '#ffffff', dark: '#101418' }],
    ['#202020', '#f0f0f0', { light: '#ffffff', dark: '#0b0d10' }],
    ['url(x)', '#fff', { light: '#ffffff', dark: '#0b0d10' }],
  ])('have %s and %s as backgrounds only where text can be read on them', (backgroundLight, backgroundDark, shown) => {
    const chosen = { primary: '#000000', light: '#000000', dark: '#000000', backgroundLight, backgroundDark }
    expect(themeBackgrounds({ colors: chosen })).toEqual(shown)
  })
})

describe('the fonts of a site', () => {
  const plain = { primary: '#2563eb', light: '#6ea0ff', dark: '#1d4ed8', backgroundLight: null, backgroundDark: null }
  const css = (source: string | null, family = 'Acme Sans') =>
    themeStylesheet({ colors: plain, fonts: { body: { family, source, weight: '400' }, heading: null }, appearance })

  test('are files of the repository, from wherever the stylesheet lies', () => {
    expect(css('/fonts/acme sans.woff2')).toContain('src:url("../fonts/acme%20sans.woff2");font-weight:400')
    expect(css(null)).toContain('--font-body:"Acme Sans",var(--font-usual)')
  })

  test.each(['https://fonts.example.com/x.woff2', '//fonts.example.com/x', '../../secret', 'data:font/woff2;base64,x'])(
    'are not fetched from %s',
    (source) => {
      expect(css(source)).not.toContain('@font-face')
    },
  )

  test('add nothing to the stylesheet but themselves, however they are called', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (family, source) => {
        const rules = css(source, family)
          .replace(/url\("[^"\\\n]*"\)/g, 'url()')
          .replace(/"[^"\\\n<>{};]*"/g, '""')
        expect(rules).toMatch(/^(?:@font-face\{[a-z0-9:;,\s"()-]*\}\n)?:root\{[\w#:;,()" -]*\}\n$/)
      }),
    )
  })

  test('and colours give the stylesheet its name', () => {
    const one = { colors: plain, fonts: noFonts, appearance }
    expect(themeName(one)).toMatch(/^theme\.[\da-f]{10}\.css$/)
    expect(themeName({ ...one })).toBe(themeName(one))
    expect(themeName({ ...one, colors: { ...plain, primary: '#ff0000' } })).not.toBe(themeName(one))
  })
})
