import type { Blockquote, PhrasingContent, RootContent } from 'mdast'
import type { PageNode } from '../component.ts'
import type { RenderInput, RenderWarning } from '../rendered-page.ts'
import { type Admonition, colonText, readAdmonition } from './admonition.ts'
import { createBudget, type Limits } from './budget.ts'
import { type BuildPlace, createElementBuilder, type GivenAttribute } from './build-element.ts'
import { evaluate } from './evaluate.ts'
import { readAlert } from './github-alert.ts'
import { type HtmlPiece, htmlNodes } from './html-nodes.ts'
import { isOnlyJsx, unravel, wrapWords } from './lines-of-elements.ts'
import { createModuleScope, dataValue, type ModuleLinks } from './module-scope.ts'
import { createNote } from './note.ts'
import { nodesOf } from './page-values.ts'
import { type Binding, createScope, type Scope } from './scope.ts'
import { readSourceFile, type SourceFile } from './source-file.ts'
import { parseExpression, parseModule, parseSpread } from './syntax.ts'
import { ElementsValue, NotEvaluated, type Value, type ValueObject } from './value.ts'

export interface ExpandedPage {
  file: SourceFile
  nodes: PageNode[]
  warnings: RenderWarning[]
}

export interface ExpandOptions {
  /** Whether there is a component of that name. */
  isComponent(name: string): boolean
  limits?: Limits
}

/** Where nodes are expanded. */
interface Place extends BuildPlace {
  file: SourceFile
  /** Set apart footnotes of one file from those of another. */
  footnotes: string
}

// Quotes in lists in steps in tabs reach ten.
const mostDepth = 60
const mostSnippetDepth = 20
const mostWarnings = 100

/**
 * A page with its snippets put in and its expressions worked out. Never throws for what the page holds: what cannot be
 * shown is a note in its place and a warning.
 */
export function expandPage(input: RenderInput, { isComponent, limits }: ExpandOptions): ExpandedPage {
  const warnings: RenderWarning[] = []
  const said = new Set<string>()
  const budget = createBudget(limits)
  const files = new Map<string, SourceFile>()
  const scopes = new Map<string, Scope>()
  let snippetsUsed = 0

  const links: ModuleLinks = {
    resolve(from, written) {
      const imports = from === input.path ? input.imports : input.snippets[from]?.imports
      return imports && Object.hasOwn(imports, written) ? imports[written] : undefined
    },
    scopeOf,
    readData(path) {
      try {
        return dataValue(JSON.parse(input.snippets[path]?.source ?? ''), budget.spend)
      } catch (error) {
        throw error instanceof NotEvaluated ? error : new NotEvaluated(`${path} is no JSON`)
      }
    },
    evaluate: (node, scope, { from, line }) =>
      evaluate(node, scope, evaluation({ from, line, scope, depth: 0, files: [input.path], isInline: false })),
    isComponent,
    warn: ({ from, line }, message) => warn(from, line, message),
  }
  const builder = createElementBuilder({ budget, warn, expandSnippet, resolve: links.resolve, evaluation })

  const page = fileOf(input.path, input.source)
  const scope = scopeOf(input.path)
  for (const { line, message, hint } of page.problems) warn(input.path, line, hint ? `${message} ${hint}` : message)
  const expanded = expandList(page.children, {
    file: page,
    from: input.path,
    line: null,
    scope,
    depth: 0,
    files: [input.path],
    isInline: false,
    footnotes: '',
  })
  const nodes = page.isMdx ? wrapWords(expanded) : expanded
  if (budget.exceeded !== null) {
    const message = `The rest of this page is not shown: ${budget.exceeded}.`
    warn(input.path, null, message)
    nodes.push(createNote({ message, isInline: false, from: input.path, line: null }))
  }
  return { file: page, nodes, warnings }

  function warn(path: string, line: number | null, message: string): void {
    const key = `${path}:${line}:${message}`
    if (said.has(key) || warnings.length >= mostWarnings) return
    said.add(key)
    warnings.push({ path, line, message })
  }

  function fileOf(path: string, source: string): SourceFile {
    const file =
      files.get(path) ??
      readSourceFile({ path, source, isTooLarge: path === input.path && input.isTooLarge === true }, input.variables)
    files.set(path, file)
    return file
  }

  function scopeOf(path: string): Scope {
    const known = scopes.get(path)
    if (known) return known
    const source = path === input.path ? input.source : input.snippets[path]?.source
    if (source === undefined) throw new NotEvaluated(`${path} is not there`)
    const made = createModuleScope(fileOf(path, source), links)
    scopes.set(path, made)
    return made
  }

  function evaluation(place: BuildPlace) {
    return {
      from: place.from,
      line: place.line,
      spend: budget.spend,
      elements: (node: Parameters<typeof builder.fromJsx>[0], inner: Scope) =>
        new ElementsValue(builder.fromJsx(node, { ...place, scope: inner, depth: place.depth + 1 })),
    }
  }

  function expandList(list: readonly RootContent[], place: Place): PageNode[] {
    if (place.depth > mostDepth) {
      const message = 'This part is not shown: it nests too deeply.'
      warn(place.from, place.line, message)
      return [createNote({ message, isInline: place.isInline, from: place.from, line: place.line })]
    }
    if (place.file.isMdx || !list.some(({ type }) => type === 'html'))
      return list.flatMap((node) => expandNode(node, place))
    const pieces = list.map(
      (node): HtmlPiece => (node.type === 'html' ? { html: node.value } : { nodes: expandNode(node, place) }),
    )
    const line = lineOf(list[0]!)
    try {
      return htmlNodes(pieces, { from: place.from, line, isInline: place.isInline, budget })
    } catch {
      const message = 'The HTML here is not shown: it nests too deeply.'
      warn(place.from, line, message)
      return pieces.flatMap((piece) => ('nodes' in piece ? piece.nodes : []))
    }
  }

  function inside(list: readonly RootContent[], place: Place, isInline: boolean): PageNode[] {
    return expandList(list, { ...place, depth: place.depth + 1, isInline })
  }

  function expandNode(node: RootContent, place: Place): PageNode[] {
    switch (node.type) {
      case 'yaml':
      case 'definition':
        return []
      case 'mdxjsEsm':
        return isProse(node.value) ? [{ type: 'paragraph', children: [{ type: 'text', value: node.value }] }] : []
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        return expandElement(node, place)
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        return expandExpression(node.value, { ...place, line: lineOf(node) })
    }
    const length = 'value' in node && typeof node.value === 'string' ? node.value.length : 0
    if (!budget.takeNode(length)) return []
    const admonition = readAdmonition(node, place.file.source)
    if (admonition) return expandAdmonition(admonition, { ...place, line: lineOf(node) })
    const colons = colonText(node, place.file.source)
    if (colons !== null) return [{ type: 'text', value: colons }]
    switch (node.type) {
      case 'paragraph': {
        const { children } = node
        if (isOnlyJsx(children)) return unravel(expandList(children, { ...place, isInline: false }))
        return [{ type: 'paragraph', children: inside(children, place, true) as never }]
      }
      case 'link':
        return [linkNode(node, inside(node.children, place, true), place)]
      case 'image':
        return [imageNode(node, node.alt ?? '', place)]
      case 'linkReference': {
        const found = place.file.definitions.get(node.identifier.toLowerCase())
        const children = inside(node.children, place, true)
        return found ? [linkNode(found, children, place)] : children
      }
      case 'imageReference': {
        const found = place.file.definitions.get(node.identifier.toLowerCase())
        return found ? [imageNode(found, node.alt ?? '', place)] : []
      }
      case 'footnoteReference':
      case 'footnoteDefinition': {
        const { position: _, ...rest } = node
        const identifier = place.footnotes + node.identifier
        const copy = { ...rest, identifier, label: identifier }
        if ('children' in copy) copy.children = inside(copy.children, place, false) as never
        return [copy]
      }
      case 'blockquote':
        return [expandQuote(node, place)]
      case 'heading': {
        const id = (node.data as { hProperties?: { id?: unknown } } | undefined)?.hProperties?.id
        const data = typeof id === 'string' ? { data: { hProperties: { id } } as never } : {}
        return [{ type: 'heading', depth: node.depth, children: inside(node.children, place, true) as never, ...data }]
      }
      default: {
        const { position: _, data: __, ...copy } = node
        if ('children' in copy) {
          const isText = place.isInline || node.type === 'tableCell'
          copy.children = inside(copy.children as RootContent[], place, isText) as never
        }
        return [copy as PageNode]
      }
    }
  }

  function expandQuote(node: Blockquote, place: Place): PageNode {
    const alert = readAlert(node)
    const children = inside(alert?.children ?? node.children, place, false)
    if (alert === null) return { type: 'blockquote', children: children as never }
    const { name } = alert
    return { type: 'component', name, props: {}, children, isInline: false, from: place.from, line: lineOf(node) }
  }

  function expandAdmonition({ component, title, children: inner }: Admonition, place: Place): PageNode[] {
    const children = inside(inner, place, false)
    if (component === null) return children
    const props = title === null ? {} : { title }
    const { from, line } = place
    return [{ type: 'component', name: component, props, children, isInline: false, from, line }]
  }

  function expandExpression(text: string, place: Place): PageNode[] {
    try {
      const node = parseExpression(text)
      if (node === 'empty') return []
      if (node === null) throw new NotEvaluated('it is no JavaScript that can be read')
      return nodesOf(evaluate(node, place.scope, evaluation(place)), budget)
    } catch (error) {
      return builder.notEvaluated(error, { code: `{${text}}`, place })
    }
  }

  function expandElement(node: RootContent, place: Place): PageNode[] {
    if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return []
    const isInline = node.type === 'mdxJsxTextElement' && place.isInline
    const here = { ...place, line: lineOf(node), isInline }
    const children = () => inside(node.children as RootContent[], here, isInline)
    if (node.name === null || node.name === undefined) return children()
    const attributes = node.attributes.map((attribute): GivenAttribute => {
      if (attribute.type === 'mdxJsxExpressionAttribute') {
        return { spread: () => evaluateText(attribute.value, here, parseSpread) }
      }
      const { name, value } = attribute
      if (typeof value !== 'object' || value === null) return { name, value: () => value ?? true }
      return { name, value: () => evaluateText(value.value, here, parseExpression) }
    })
    return builder.build({ name: node.name, attributes, children, place: here })
  }

  function evaluateText(text: string, place: Place, parse: typeof parseExpression | typeof parseSpread): Value {
    const node = parse(text)
    if (node === 'empty') return undefined
    if (node === null) throw new NotEvaluated('it is no JavaScript that can be read')
    return evaluate(node, place.scope, evaluation(place))
  }

  function expandSnippet(path: string, props: ValueObject, place: BuildPlace): PageNode[] {
    const fail = (message: string) => {
      warn(place.from, place.line, message)
      return [createNote({ message, isInline: place.isInline, from: place.from, line: place.line })]
    }
    if (place.files.includes(path)) return fail(`The snippet ${path} is not shown: it contains itself.`)
    if (place.files.length > mostSnippetDepth) return fail(`The snippet ${path} is not shown: it nests too deeply.`)
    const source = Object.hasOwn(input.snippets, path) ? input.snippets[path]!.source : undefined
    if (source === undefined) return fail(`The snippet ${path} is not shown: there is no such file.`)
    // The reader is told once, at the end of the page.
    if (!budget.takeSnippet()) return []
    const file = fileOf(path, source)
    if (file.failure) {
      warn(path, file.failure.line, file.failure.message)
      return fail(`The snippet ${path} is not shown: it could not be read.`)
    }
    const bindings = new Map<string, Binding>([['props', { value: props }]])
    for (const name of Object.keys(props)) bindings.set(name, { value: props[name] })
    const inner: Place = {
      ...place,
      file,
      from: path,
      line: null,
      scope: createScope(scopeOf(path), bindings),
      depth: place.depth + 1,
      files: [...place.files, path],
      footnotes: `${++snippetsUsed}-`,
    }
    const shown = expandList(file.children, inner)
    // In a line of text, a snippet of one paragraph is a part of that line.
    const [only] = shown
    return place.isInline && shown.length === 1 && only?.type === 'paragraph' ? only.children : shown
  }
}

function linkNode(
  link: { url: string; title?: string | null | undefined },
  children: PageNode[],
  place: Place,
): PageNode {
  const { url, title = null } = link
  return { type: 'link', url, title, children: children as PhrasingContent[], data: { from: place.from } as never }
}

function imageNode(image: { url: string; title?: string | null | undefined }, alt: string, place: Place): PageNode {
  const { url, title = null } = image
  return { type: 'image', url, title, alt, data: { from: place.from } as never }
}

function lineOf(node: RootContent): number | null {
  return node.position?.start.line ?? null
}

/** Words that happen to begin with “import” or “export”. */
function isProse(code: string): boolean {
  return !/[{}=;'"`(*]/.test(code) && parseModule(code) === null
}
