import { hash } from 'node:crypto'
import type { SiteFont, SiteSettings } from '#features/content/service.ts'
import { contrast, fillOf, mix, parseColor, type Rgb, readableOn, writeColor } from './color-contrast.ts'

type ThemeSettings = Pick<SiteSettings, 'colors' | 'fonts' | 'appearance'>

const usualLight = '#ffffff'
const usualDark = '#0b0d10'
/** The faintest text of our stylesheet, `--soft`. */
const faintest = { light: parseColor('#5c6370'), dark: parseColor('#98a1ae') }
/** Of WCAG AA for text. */
const leastContrast = 4.5

export function themeBackgrounds({ colors }: Pick<SiteSettings, 'colors'>): { light: string; dark: string } {
  return {
    light: background(colors.backgroundLight, usualLight, faintest.light),
    dark: background(colors.backgroundDark, usualDark, faintest.dark),
  }
}

/** The author's, unless our text would be hard to read on it. */
function background(written: string | null, usual: string, on: Rgb): string {
  if (written === null || !isColor(written)) return usual
  return contrast(parseColor(written), on) >= leastContrast ? written.toLowerCase() : usual
}

/**
 * What a site's stylesheet adds to ours: its colours, changed as little as it takes to be readable, and its fonts.
 * Addresses are relative to the stylesheet's own, so the text is the same wherever the site stands.
 */
export function themeStylesheet(settings: ThemeSettings): string {
  const { colors, fonts } = settings
  const backgrounds = themeBackgrounds(settings)
  const [light, dark] = [parseColor(backgrounds.light), parseColor(backgrounds.dark)]
  const primary = parseColor(isColor(colors.primary) ? colors.primary : '#2563eb')
  const ofDark = parseColor(isColor(colors.light) ? colors.light : writeColor(primary))
  // Text in this colour stands on tints of itself too.
  const accentLight = readableOn([light, mix(light, primary, 0.1)], primary, leastContrast)
  const accentDark = readableOn([dark, mix(dark, ofDark, 0.1)], ofDark, leastContrast)
  const [onLight, onDark] = [fillOf(primary), fillOf(readableOn([dark], ofDark, 3))]
  const lines = [
    `--bg:light-dark(${backgrounds.light},${backgrounds.dark})`,
    `--primary:light-dark(${writeColor(primary)},${writeColor(ofDark)})`,
    `--accent:light-dark(${writeColor(accentLight)},${writeColor(accentDark)})`,
    `--fill:light-dark(${writeColor(onLight.fill)},${writeColor(onDark.fill)})`,
    `--on-fill:light-dark(${writeColor(onLight.text)},${writeColor(onDark.text)})`,
  ]
  const [body, heading] = [fontRule(fonts.body, 'site-body'), fontRule(fonts.heading, 'site-heading')]
  if (body) lines.push(`--font-body:${body.family},var(--font-usual)`)
  if (heading ?? body) lines.push(`--font-heading:${(heading ?? body)!.family},var(--font-usual)`)
  return `${body?.rule ?? ''}${heading?.rule ?? ''}:root{${lines.join(';')}}\n`
}

/** The file's name in the site, which changes with what is in it. */
export function themeName(settings: ThemeSettings): string {
  let name = names.get(settings)
  if (name === undefined) {
    name = `theme.${hash('sha256', themeStylesheet(settings)).slice(0, 10)}.css`
    names.set(settings, name)
  }
  return name
}

const names = new WeakMap<ThemeSettings, string>()

function fontRule(font: SiteFont | null, name: string): { family: string; rule: string } | null {
  if (font === null) return null
  const written = font.family.replace(/[^\p{L}\p{N} _-]/gu, '').slice(0, 80)
  const address = font.source === null ? null : fontAddress(font.source)
  if (address === null) return written === '' ? null : { family: `"${written}"`, rule: '' }
  const weight = /^\d{1,4}(?: \d{1,4})?$/.test(font.weight ?? '') ? font.weight : '100 900'
  const rule = `@font-face{font-family:"${name}";src:url("${address}");font-weight:${weight};font-display:swap}\n`
  return { family: `"${name}"`, rule }
}

/** A file of the repository, from where the stylesheet lies. What lies on another server is not fetched. */
function fontAddress(source: string): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(source)) return null
  const segments = source
    .split(/[?#]/)[0]!
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  if (segments.length === 0 || segments.includes('..')) return null
  return `../${segments.map(encodeSegment).join('/')}`
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[()'*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
}

function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}
