import { toHtml } from 'hast-util-to-html'
import { describe, expect, test } from 'vitest'
import { formerIconNames } from './former-icon-names.ts'
import { findIcon } from './icons.ts'

const sizeOf = (name: string, options?: Parameters<typeof findIcon>[1]) => findIcon(name, options)?.properties.viewBox

describe('findIcon', () => {
  test('draws in the colour of the text, and says nothing to screen readers', () => {
    expect(toHtml(findIcon('info', { library: 'lucide' })!)).toMatch(
      /^<svg class="icon" xmlns="[^"]*" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><g fill="none" stroke="currentColor" stroke-linecap="round" .*<\/svg>$/,
    )
  })

  test.each([
    { name: 'rocket', library: 'fontawesome', size: '0 0 512 512' },
    { name: 'rocket', library: 'lucide', size: '0 0 24 24' },
    { name: 'rocket', library: 'tabler', size: '0 0 24 24' },
    // Of another library than the site's.
    { name: 'panel-left-close', library: 'fontawesome', size: '0 0 24 24' },
    { name: 'python', library: 'lucide', size: '0 0 24 24' },
    { name: 'openai', library: 'tabler', size: '0 0 24 24' },
    // Names of before, and ways of writing them.
    { name: 'home', library: 'fontawesome', size: '0 0 576 512' },
    { name: 'alarm-check', library: 'lucide', size: '0 0 24 24' },
    { name: 'fa-solid fa-rocket', library: 'fontawesome', size: '0 0 512 512' },
    { name: 'brands/github', library: 'fontawesome', size: '0 0 496 512' },
    { name: ' Rocket ', library: 'fontawesome', size: '0 0 512 512' },
  ])('finds $name of $library', ({ name, library, size }) => {
    expect(sizeOf(name, { library })).toBe(size)
  })

  test('a style of Font Awesome chooses among its icons, and is no matter to other libraries', () => {
    const drawing = (type?: string, library = 'fontawesome') =>
      toHtml(findIcon('star', { library, ...(type ? { type } : {}) })!)
    expect(drawing('regular')).not.toBe(drawing('solid'))
    expect(drawing('duotone')).toBe(drawing('solid'))
    expect(drawing('regular', 'lucide')).toBe(drawing('solid', 'lucide'))
  })

  test.each([
    '',
    ' ',
    'no-such-icon',
    '__proto__',
    'constructor',
    '../../package',
    'images/rocket.svg',
    '"',
    'x'.repeat(10_000),
  ])('there is no icon %j', (name) => {
    expect(findIcon(name)).toBeNull()
    expect(findIcon(name, { library: 'nonsense', type: '__proto__' })).toBeNull()
  })

  test('every former name leads to an icon', () => {
    for (const name of Object.values(formerIconNames)) expect(sizeOf(name)).toMatch(/ 512$/)
  })
})
