import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What most documentation is written in; other writing is shown in the reader's own fonts. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'greek']
const families = [
  { family: 'Inter', packageName: '@fontsource-variable/inter', prefix: 'inter' },
  { family: 'JetBrains Mono', packageName: '@fontsource-variable/jetbrains-mono', prefix: 'jetbrains-mono' },
]

export interface Fonts {
  /** `@font-face` rules. */
  rules: string
  /** Paths by the names that the rules have. */
  files: ReadonlyMap<string, string>
  /** What every page needs at once. */
  main: string
}

/** Fonts of the packages, whose own stylesheets say which characters each file has. */
export function readFonts(): Fonts {
  const require = createRequire(import.meta.url)
  const faces = families.flatMap(({ family, packageName, prefix }) => {
    const stylesheet = require.resolve(`${packageName}/index.css`)
    const blocks = readFileSync(stylesheet, 'utf8').split('@font-face')
    return subsets.map((subset) => {
      const file = `${prefix}-${subset}-wght-normal.woff2`
      const block = blocks.find((part) => part.includes(`/${file})`))
      const range = block && /unicode-range:\s*([^;]+);/.exec(block)?.[1]
      if (!range) throw new Error(`${packageName} has no face with the file ${file}.`)
      const path = join(dirname(stylesheet), 'files', file)
      const name = `${prefix}-${subset}.${hash('sha256', readFileSync(path)).slice(0, 12)}.woff2`
      const rule = `@font-face{font-family:"${family}";font-display:swap;font-weight:100 900;src:url(${name}) format("woff2");unicode-range:${range}}`
      return { name, path, rule }
    })
  })
  return {
    rules: faces.map(({ rule }) => rule).join('\n'),
    files: new Map(faces.map(({ name, path }) => [name, path])),
    main: faces[0]!.name,
  }
}
