import { createRouteTaker, generatePages, operationRoute } from '../openapi/generate-pages.ts'
import type { OperationOutline, SpecOutline } from '../openapi/spec-outline.ts'
import { type ConfigObject, type ConfigValue, joinPath, textField } from './docs-config.ts'
import type { PageSource } from './site-model.ts'

/** A specification as a part of the navigation names it. */
export interface SpecUse {
  /** A path of the tree, or an address elsewhere. */
  source: string
  /** Where its pages lie, without slashes around it. */
  directory: string
}

export interface OperationReference {
  /** Null: whichever has it. */
  source: string | null
  method: string
  path: string
}

/** The pages of a site that are made from specifications alone. A page is made once, however often it is named. */
export interface OperationPages {
  /** What a part of the navigation itself names. */
  declared(node: ConfigObject): SpecUse[]
  /** Pages of all operations, by the specification's order. */
  generate(use: SpecUse): { route: string; tag: string | null }[]
  /** The page of one operation, looked for in these specifications first; null when none has it. */
  routeOf(reference: OperationReference, specs: SpecUse[]): string | null
  find(reference: OperationReference, specs?: SpecUse[]): FoundOperation | null
  /** Whether a specification, as the configuration writes it, was read, so that what it lacks is missing. */
  isKnown(source: string): boolean
  /** By route. */
  pages: ReadonlyMap<string, PageSource>
}

export interface FoundOperation {
  spec: string
  operation: OperationOutline
}

// Where pages go that are made from a specification which names no folder.
export const defaultDirectory = 'api-reference'
const operation = /^(?:(\S+)\s+)?(get|post|put|patch|delete|head|options|trace|query|webhook|channel|schema)\s+(\S.*)$/i
// AsyncAPI's: `asyncapi.yaml chat`.
const channel = /^(\S+\.(?:json|ya?ml))\s+(\S.*)$/i

/** `GET /x`, or `spec.json GET /x`; `spec.yaml chat` for a channel; null when it is something else. */
export function parseOperation(text: string): OperationReference | null {
  const [, source, method, path] = operation.exec(text.trim()) ?? []
  if (method !== undefined && path !== undefined) {
    return { source: source ?? null, method: method.toUpperCase(), path: path.trim() }
  }
  const [, file, name] = channel.exec(text.trim()) ?? []
  return file === undefined || name === undefined ? null : { source: file, method: 'CHANNEL', path: name.trim() }
}

/** `events.yaml userSignedUp`, which pages about a channel have; null when it is something else. */
export function parseChannel(text: string): OperationReference | null {
  const [, source, path] = /^(\S+)\s+(\S+)$/.exec(text.trim()) ?? []
  return source === undefined || path === undefined ? null : { source, method: 'CHANNEL', path }
}

export interface OperationPagesInput {
  /** By path, in the order in which they are looked through. */
  specs: ReadonlyMap<string, SpecOutline>
  /** Routes that files have. */
  taken: Iterable<string>
}

export function createOperationPages({ specs, taken }: OperationPagesInput): OperationPages {
  const files = new Set(taken)
  const takeRoute = createRouteTaker(files)
  const findSpec = createSpecFinder(specs.keys())
  const pages = new Map<string, PageSource>()
  const routes = new Map<OperationOutline, Map<string, string>>()
  const generated = new Map<string, { route: string; tag: string | null }[]>()
  const indexes = new Map<string, Map<string, OperationOutline>>()

  function routeIn(spec: string, one: OperationOutline, directory: string): string {
    const known = routes.get(one)?.get(directory)
    if (known !== undefined) return known
    const wanted = operationRoute(one, { directory })
    // An address that the specification itself gives may be that of a page written by hand.
    const route = one.href !== null && files.has(wanted) ? wanted : takeRoute(wanted)
    if (!files.has(route)) {
      pages.set(route, { kind: 'operation', spec, method: one.method, path: one.path, title: one.title })
    }
    if (!routes.has(one)) routes.set(one, new Map())
    routes.get(one)!.set(directory, route)
    return route
  }

  function indexOf(spec: string): Map<string, OperationOutline> {
    let index = indexes.get(spec)
    if (!index) {
      index = new Map()
      for (const one of specs.get(spec)?.operations ?? []) {
        for (const key of [exactKey(one), looseKey(one)]) if (!index.has(key)) index.set(key, one)
      }
      indexes.set(spec, index)
    }
    return index
  }

  function find(reference: OperationReference, uses: SpecUse[] = []): FoundOperation | null {
    const { source: written } = reference
    const paths = written === null ? [...uses.map(({ source }) => source), ...specs.keys()] : [findSpec(written) ?? '']
    for (const key of [exactKey(reference), looseKey(reference)]) {
      for (const path of paths) {
        const found = specs.has(path) ? indexOf(path).get(key) : undefined
        if (found) return { spec: path, operation: found }
      }
    }
    return null
  }

  return {
    pages,
    find,
    isKnown: (source) => findSpec(source) !== null,
    declared(node) {
      return [...readUses(node.fields.get('openapi')), ...readUses(node.fields.get('asyncapi'))]
    },
    generate({ source, directory }) {
      const key = `${directory} ${source}`
      let made = generated.get(key)
      if (!made) {
        const outline = specs.get(source)
        made = (outline ? generatePages(outline, { directory }) : []).map(({ operation: one }) => ({
          route: routeIn(source, one, directory),
          tag: one.groupTitle ?? one.tag,
        }))
        for (const one of outline?.operations ?? []) {
          // Only who knows its address gets to see it.
          if (one.isHidden && one.method !== 'SCHEMA') routeIn(source, one, directory)
        }
        generated.set(key, made)
      }
      return made
    },
    routeOf(reference, uses) {
      const found = find(reference, uses)
      if (!found) return null
      const directory = uses.find(({ source }) => source === found.spec)?.directory ?? defaultDirectory
      return routeIn(found.spec, found.operation, directory)
    },
  }
}

/** A path or URL, a list of them, or `{ source, directory }`. */
export function readUses(value: ConfigValue | undefined): SpecUse[] {
  if (value?.kind === 'list') return value.items.flatMap((item) => readUses(item)).slice(0, 1_000)
  if (value?.kind === 'object') {
    const directory = textField(value, 'directory')?.value ?? defaultDirectory
    return readUses(value.fields.get('source')).map(({ source }) => ({ source, directory: trimSlashes(directory) }))
  }
  if (typeof value?.value !== 'string' || value.value === '') return []
  return [{ source: pathOf(value.value) ?? value.value, directory: defaultDirectory }]
}

/** Finds the file that is meant: at that path, else the one that is called so, wherever it lies and however it ends. */
export function createSpecFinder(paths: Iterable<string>): (source: string) => string | null {
  const all = new Set<string>()
  const byName = new Map<string, string[]>()
  for (const path of paths) {
    all.add(path)
    if (!specExtension.test(path)) continue
    const name = nameOf(path)
    const namesakes = byName.get(name)
    if (!namesakes) byName.set(name, [path])
    else if (namesakes.length < mostNamesakes) namesakes.push(path)
  }
  return (source) => {
    const wanted = pathOf(source)
    if (wanted === null || wanted === '') return null
    if (all.has(wanted)) return wanted
    const hasExtension = specExtension.test(wanted)
    const isMeant = (path: string) => `/${hasExtension ? path : path.replace(specExtension, '')}`.endsWith(`/${wanted}`)
    return byName.get(nameOf(wanted))?.find(isMeant) ?? null
  }
}

const specExtension = /\.(?:json|ya?ml)$/i
const mostNamesakes = 50

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(specExtension, '')
}

/** Null for an address elsewhere. */
function pathOf(source: string): string | null {
  return /^[a-z][a-z\d+.-]*:/i.test(source) ? null : joinPath('', source)
}

function exactKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`
}

/** Names of parameters, and a slash at the end, make no other operation. */
function looseKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1')} loosely`
}

function trimSlashes(folder: string): string {
  return folder.split('/').filter(Boolean).join('/')
}
