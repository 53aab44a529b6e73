import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearestColor, palette, readColor } from './palette.ts'

describe('nearestColor', () => {
  test.each([
    ['#FFC107', 'yellow'],
    ['#ef4444', 'red'],
    ['#f00', 'red'],
    ['#16A34A', 'green'],
    ['#0d9488', 'teal'],
    ['#3B82F6', 'blue'],
    ['#8b5cf6', 'purple'],
    ['#ec4899', 'pink'],
    ['#ff7a00', 'orange'],
    ['#777777', 'gray'],
    ['rgb(51, 255, 87)', 'green'],
    ['violet', 'purple'],
    [' Green ', 'green'],
    ['none of them', null],
    ['#12', null],
    ['constructor', null],
  ])('%s is %s', (value, color) => {
    expect(nearestColor(value)).toBe(color)
  })

  test('every colour has one', () => {
    const part = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(part, part, part, (red, green, blue) => {
        expect(palette).toContain(nearestColor(`rgb(${red} ${green} ${blue})`))
      }),
    )
  })
})

describe('readColor', () => {
  test.each([
    '#3B82F6',
    '#abc',
    'tomato',
    'rgb(51, 255, 87)',
    'rgba(51, 87, 255, 0.7)',
    'hsl(180deg, 70%, 55%)',
    'oklch(70% 0.2 145)',
  ])('takes %s', (color) => {
    expect(readColor(` ${color} `)).toBe(color)
  })

  test.each([
    'url(https://example.com)',
    'var(--x)',
    'red;}',
    '#12',
    'rgb(1,2,url(x))',
    'expression(1)',
    `#${'f'.repeat(100)}`,
    '',
  ])('leaves %j alone', (text) => {
    expect(readColor(text)).toBeNull()
  })
})
