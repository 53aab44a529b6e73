import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

/** Outermost first: a file may import from its own ring and from those after it. */
const rings = ['app', 'features', 'backends', 'infra', 'base']
/** A feature may import from those before it. */
const features = ['accounts', 'projects', 'repositories', 'content', 'analytics', 'webhooks', 'agent', 'site']

interface Import {
  from: string
  /** As it is written. */
  written: string
  /** The file it means, relative to src; null for a package. */
  to: string | null
}

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)))
const productionFiles = files.filter((file) => !file.endsWith('.test.ts'))
const imports = productionFiles.flatMap(importsOf)

function importsOf(from: string): Import[] {
  const text = readFileSync(join(source, from), 'utf8')
  const written = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
  return written.map((name) => ({ from, written: name, to: targetOf(from, name) }))
}

function targetOf(from: string, written: string): string | null {
  if (written.startsWith('#')) return written.slice(1)
  if (written.startsWith('.')) return relative(source, resolve(source, dirname(from), written))
  return null
}

const ringOf = (file: string) => file.split('/')[0]!
const featureOf = (file: string) => (ringOf(file) === 'features' ? file.split('/')[1]! : null)
const shown = ({ from, written }: Import) => `${from} imports ${written}`

test('the scan sees the code', () => {
  expect(productionFiles.length).toBeGreaterThan(30)
  expect(imports.filter(({ to }) => to !== null).length).toBeGreaterThan(50)
})

test('every file lies in a ring', () => {
  expect(files.filter((file) => !rings.includes(ringOf(file)))).toEqual([])
})

test('imports go only down the rings', () => {
  const upward = imports.filter(
    ({ from, to }) => to !== null && rings.indexOf(ringOf(to)) < rings.indexOf(ringOf(from)),
  )
  expect(upward.map(shown)).toEqual([])
})

test('a feature is known, and imports only service.ts of features before it', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [own, other] = [featureOf(from), to === null ? null : featureOf(to)]
    if (own === null || other === null || own === other) return false
    return features.indexOf(other) >= features.indexOf(own) || !to!.endsWith('/service.ts')
  })
  expect(wrong.map(shown)).toEqual([])
  const unknown = productionFiles.map(featureOf).filter((name) => name !== null && !features.includes(name))
  expect(unknown).toEqual([])
})

test('imports between top folders of a ring are written with #, and stay inside src', () => {
  const wrong = imports.filter(({ from, written, to }) => {
    if (!written.startsWith('.')) return false
    return to!.startsWith('..') || ringOf(to!) !== ringOf(from) || featureOf(to!) !== featureOf(from)
  })
  expect(wrong.map(shown)).toEqual([])
})

test('only infra/config reads the environment', () => {
  const readers = productionFiles.filter((file) => /process\.env\b/.test(readFileSync(join(source, file), 'utf8')))
  expect(readers.filter((file) => !file.startsWith('infra/config/'))).toEqual([])
})

test('SQL is written in stores and in infra only', () => {
  const sql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/
  const writers = productionFiles.filter((file) => sql.test(readFileSync(join(source, file), 'utf8')))
  const misplaced = writers.filter((file) => !file.startsWith('infra/') && !/(^|[/-])store\.ts$/.test(file))
  expect(misplaced).toEqual([])
})

test('there are no import cycles', () => {
  const next = new Map(productionFiles.map((file) => [file, [] as string[]]))
  // A type import vanishes when the code runs, so it can close no cycle that matters.
  for (const file of productionFiles) {
    const text = readFileSync(join(source, file), 'utf8')
    for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?[^;']*?from\s+'([^']+)'/gm)) {
      const to = targetOf(file, match[2]!)
      if (!match[1] && to !== null) next.get(file)!.push(to)
    }
  }
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    state.set(file, 'open')
    for (const to of next.get(file) ?? []) visit(to, [...path, file])
    state.set(file, 'done')
  }
  for (const file of productionFiles) visit(file, [])
  expect(cycles).toEqual([])
})

test('no file is a catch-all', () => {
  const catchAll = files.filter((file) => /(^|[/-])(utils?|helpers?|common|misc|manager|types|index)\.ts$/.test(file))
  expect(catchAll).toEqual([])
})

test('the lock file names no registry host', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "http/)
})
