/**
 * The page's policy allows no colours in the markup, and most that authors choose cannot be read in one of the two themes:
 * a colour is shown as the nearest of these, which the stylesheet has for both.
 */
export const palette = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const

export type PaletteColor = (typeof palette)[number]

// Where on the wheel, in degrees, a colour ends.
const hues: [end: number, color: PaletteColor][] = [
  [14, 'red'],
  [40, 'orange'],
  [68, 'yellow'],
  [160, 'green'],
  [192, 'teal'],
  [250, 'blue'],
  [288, 'purple'],
  [345, 'pink'],
  [360, 'red'],
]

const otherNames: Record<string, PaletteColor> = {
  grey: 'gray',
  black: 'gray',
  white: 'gray',
  amber: 'yellow',
  gold: 'yellow',
  lime: 'green',
  emerald: 'green',
  cyan: 'teal',
  sky: 'blue',
  indigo: 'blue',
  violet: 'purple',
  fuchsia: 'pink',
  rose: 'pink',
}

/** Null for what is no colour. */
export function nearestColor(value: string): PaletteColor | null {
  const name = value.trim().toLowerCase()
  const known = palette.find((color) => color === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name]! : null)
  if (known) return known
  const rgb = readHex(name) ?? readRgb(name)
  return rgb && hueName(rgb)
}

type Rgb = [red: number, green: number, blue: number]

function readHex(text: string): Rgb | null {
  const digits = /^#?([0-9a-f]{3,8})$/.exec(text)?.[1]
  if (!digits) return null
  const size = digits.length < 6 ? 1 : 2
  const at = (index: number) => Number.parseInt(digits.slice(index * size, (index + 1) * size).repeat(3 - size), 16)
  return [at(0), at(1), at(2)]
}

function readRgb(text: string): Rgb | null {
  const match = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b/.exec(text)
  return match && [Number(match[1]), Number(match[2]), Number(match[3])]
}

function hueName([red, green, blue]: Rgb): PaletteColor {
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (most === 0 || range / most < 0.15) return 'gray'
  const sixth =
    most === red ? (green - blue) / range : most === green ? (blue - red) / range + 2 : (red - green) / range + 4
  const degrees = (sixth * 60 + 360) % 360
  return hues.find(([end]) => degrees <= end)![1]
}

/** A colour as CSS writes it, safe in the attribute of a drawing; null for anything else. */
export function readColor(value: string): string | null {
  const text = value.trim()
  const isColor =
    text.length <= 60 &&
    (/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ||
      /^[a-z]{3,20}$/i.test(text) ||
      /^(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/+-]*(deg|turn|rad)?[\d\s.,%/+-]*\)$/i.test(text))
  return isColor ? text : null
}
