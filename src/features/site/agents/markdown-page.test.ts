import { expect, test } from 'vitest'
import type { EditionPage } from '../edition/edition.ts'
import { markdownPage } from './markdown-page.ts'

const site = { base: '', origin: 'https://d.example' }
const write = (title: string, body: string) =>
  markdownPage(site, { page: { title, route: '/x', index: { fields: { description: null } } } as EditionPage, body })

test.each([
  ['# Setup\n\nText', 'Text'],
  ['# Setup #\n\nText', 'Text'],
  ['#   `Setup`  ##  \n\nText', 'Text'],
  ['# Setup\\*\nText', 'Text'],
  ['# Setup', ''],
  ['# Setup of it\n\nText', '# Setup of it\n\nText'],
  ['Setup\n\nText', 'Setup\n\nText'],
])('the title stands once above %j', (body, expected) => {
  expect(write('Setup', body)).toBe(
    `> Documentation index: https://d.example/llms.txt\n\n# Setup\n\nSource: https://d.example/x\n\n${expected}\n`,
  )
})

test('no heading takes long, however much space is in it', () => {
  const started = performance.now()
  write('Setup', `# a${' '.repeat(300_000)}b`)
  write('Setup', `# a${' #'.repeat(150_000)}b`)
  expect(performance.now() - started).toBeLessThan(500)
})
