// What holds for the dashboard's sources and its build as a whole; how pages behave is in tests/e2e/dashboard.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { generateClient } from '../web/generate-client.ts'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web', 'src')
const dist = join(root, 'web', 'dist')

const files = readdirSync(web, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(web, join(entry.parentPath, entry.name)))
const imports = files.flatMap((from) =>
  [...readFileSync(join(web, from), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(
    ([, written]) => ({
      from,
      to: relative(web, resolve(web, dirname(from), written!)),
    }),
  ),
)

test('the client is what the document of the API gives', () => {
  const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'))
  expect(readFileSync(join(web, 'api', 'client.ts'), 'utf8')).toBe(generateClient(document))
})

/** Each may import from those after it, and from itself. */
const layers = ['main.tsx', 'App.tsx', 'shell', 'pages', 'charts', 'ui', 'api']

test('imports go down the layers, stay inside the dashboard, and no page knows another', () => {
  expect(files.length).toBeGreaterThan(20)
  const layerOf = (file: string) => layers.indexOf(file.split('/')[0]!)
  const pageOf = (file: string) => (file.startsWith('pages/') ? file.split('/')[1] : null)
  const wrong = imports.filter(({ from, to }) => {
    if (/\.css$/.test(to)) return false
    if (to.startsWith('..') || layerOf(to) === -1 || layerOf(from) === -1) return true
    return layerOf(to) < layerOf(from) || (pageOf(from) !== null && pageOf(to) !== null && pageOf(from) !== pageOf(to))
  })
  // An error's words are the one thing that the look of an error takes from the API.
  expect(wrong).toEqual([])
})

test('nothing is asked of the server but through the client', () => {
  const askers = files.filter((file) => /\bfetch\(|XMLHttpRequest/.test(readFileSync(join(web, file), 'utf8')))
  expect(askers.filter((file) => !file.startsWith('api/'))).toEqual([])
})

test('the first load is under 250 kB compressed, and has no charts in it', () => {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const parts = [...page.matchAll(/(?:src|href)="\/app\/([^"]+)"/g)].map(([, name]) => name!)
  expect(parts.length).toBeGreaterThan(2)
  // The font that Latin text needs comes with the style sheet.
  const fonts = readdirSync(join(dist, 'assets')).filter(
    (name) => /latin-wght-normal.*\.woff2$/.test(name) && !/ext/.test(name),
  )
  const sizes = [
    ...parts.map((name) => statSync(join(dist, `${name}.gz`)).size),
    ...fonts.map((name) => statSync(join(dist, 'assets', name)).size),
    statSync(join(dist, 'index.html.gz')).size,
  ]
  expect(fonts).toHaveLength(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
  for (const name of parts.filter((part) => part.endsWith('.js'))) {
    expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(/recharts/)
  }
})
