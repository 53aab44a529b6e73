/** A colour as its three parts, each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

export function parseColor(hex: string): Rgb {
  const digits = /^#?([\da-f]{6})/i.exec(hex)?.[1] ?? '000000'
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as unknown as Rgb
}

export function writeColor(color: Rgb): string {
  return `#${color
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** How far two colours are apart for the eye, from 1 to 21, as WCAG counts. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function mix(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((part, index) => part + (other[index]! - part) * share) as unknown as Rgb
}

const white: Rgb = [1, 1, 1]
const black: Rgb = [0, 0, 0]

/** The colour, as little lighter or darker as it takes to be read on all of the backgrounds, which are alike. */
export function readableOn(backgrounds: readonly [Rgb, ...Rgb[]], color: Rgb, least: number): Rgb {
  const [first] = backgrounds
  const away = contrast(white, first) > contrast(black, first) ? white : black
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = parseColor(writeColor(mix(color, away, share)))
    if (backgrounds.every((background) => contrast(candidate, background) >= least)) return candidate
  }
  return away
}

/**
 * A button's colour and that of the words on it. White words look best on all but light colours, so a colour that is
 * nearly dark enough for them is made so.
 */
export function fillOf(color: Rgb): { fill: Rgb; text: Rgb } {
  if (contrast(white, color) < leastForWhite) return { fill: color, text: nearBlack }
  for (let share = 0; share < 1; share += 0.02) {
    const fill = parseColor(writeColor(mix(color, black, share)))
    if (contrast(white, fill) >= 4.5) return { fill, text: white }
  }
  return { fill: black, text: white }
}

const leastForWhite = 3
const nearBlack = parseColor('#0a0a0b')
