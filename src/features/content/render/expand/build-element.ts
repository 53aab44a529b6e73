import type { PageNode, PropValue } from '../component.ts'
import type { Budget } from './budget.ts'
import { bindParameters, runBody } from './call-function.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { isPhrasing, trimJsxText } from './jsx-text.ts'
import { createNote } from './note.ts'
import { ownField } from './operations.ts'
import { nodesOf, propOf } from './page-values.ts'
import type { Scope } from './scope.ts'
import { type ExpressionNode, type JsxChild, type JsxElement, type JsxFragment, nameOfJsx } from './syntax.ts'
import {
  createObject,
  ElementsValue,
  FunctionValue,
  isObject,
  NotEvaluated,
  SnippetValue,
  type Value,
  type ValueObject,
} from './value.ts'

export interface BuildPlace {
  from: string
  line: number | null
  scope: Scope
  depth: number
  /** The page and the snippets around this place, outermost first. */
  files: readonly string[]
  isInline: boolean
}

export type GivenAttribute = { name: string; value(): Value } | { spread(): Value }

export interface BuilderParts {
  budget: Budget
  warn(path: string, line: number | null, message: string): void
  expandSnippet(path: string, props: ValueObject, place: BuildPlace): PageNode[]
  /** The file that a name of one leads to, as written in `from`. */
  resolve(from: string, written: string): string | null | undefined
  evaluation(place: BuildPlace): Evaluation
}

export interface BuildInput {
  name: string
  attributes: GivenAttribute[]
  children(): PageNode[]
  place: BuildPlace
}

// Components in components in components.
const mostDepth = 60
// Of no use without React or our own stylesheet; writers put them everywhere.
const silentAttributes = new Set(['style', 'key', 'ref'])

/** Makes nodes of elements, whether they stand in the page's text or inside an expression. */
export function createElementBuilder({ budget, warn, expandSnippet, resolve, evaluation }: BuilderParts) {
  return { build, fromJsx, notEvaluated }

  function build({ name, attributes, place, ...input }: BuildInput): PageNode[] {
    if (place.depth > mostDepth) return note(place, 'This part is not shown: it nests too deeply.')
    if (!budget.takeNode()) return []
    let inside: PageNode[] | null = null
    const children = () => {
      inside ??= input.children()
      return inside
    }
    try {
      const given = readAttributes(name, attributes, place)
      const known = findComponent(name, place.scope)
      if (known !== undefined) return useComponent(known, { given, children, place, name })
      if (name === 'Snippet' && typeof given.file === 'string') {
        const target = resolve(place.from, given.file)
        if (typeof target === 'string') return useComponent(new SnippetValue(target), { given, children, place, name })
        return note(place, `The snippet ${given.file} is not shown: there is no such file.`)
      }
      return createElement(name, given, children(), place)
    } catch (error) {
      if (children().length === 0) return notEvaluated(error, { code: `<${name}>`, place })
      // What it encloses can be read without it.
      warn(place.from, place.line, `<${name}> is left out, and what is inside it shown alone: ${reasonOf(error)}.`)
      return children()
    }
  }

  function readAttributes(element: string, attributes: GivenAttribute[], place: BuildPlace): ValueObject {
    const given = createObject()
    for (const attribute of attributes) {
      const name = 'name' in attribute ? attribute.name : '...'
      if (name === '__proto__' || silentAttributes.has(name)) continue
      try {
        if ('name' in attribute) given[name] = attribute.value()
        else {
          const fields = attribute.spread()
          if (fields === null || fields === undefined) continue
          if (!isObject(fields)) throw new NotEvaluated('it is no object')
          for (const field of Object.keys(fields)) given[field] = fields[field]
        }
      } catch (error) {
        warn(place.from, place.line, `“${name}” of <${element}> is left out: ${reasonOf(error)}.`)
      }
    }
    return given
  }

  /** What a name means that the file itself imports or exports. Names in lower case are always elements. */
  function findComponent(name: string, scope: Scope): Value {
    const [first, ...rest] = name.split('.') as [string, ...string[]]
    if ((/^[a-z]/.test(first) && rest.length === 0) || !scope.has(first)) return undefined
    let value = scope.get(first)
    for (const field of rest) value = ownField(value, field, false)
    if (value === undefined) throw new NotEvaluated(`“${name}” is not known here`)
    return value
  }

  function useComponent(
    component: Value,
    { given, children, place, name }: { given: ValueObject; children(): PageNode[]; place: BuildPlace; name: string },
  ): PageNode[] {
    const inside = children()
    if (inside.length > 0) given.children = new ElementsValue(inside)
    if (component instanceof SnippetValue) return expandSnippet(component.path, given, place)
    if (!(component instanceof FunctionValue)) throw new NotEvaluated(`“${name}” is no component`)
    const { from, line } = component
    const context = evaluation({ ...place, from, line, depth: place.depth + 1 })
    const visit = (node: ExpressionNode, scope: Scope) => evaluate(node, scope, context)
    const scope = bindParameters(component, [given], visit)
    return nodesOf(runBody(component, scope, visit), budget)
  }

  function createElement(name: string, given: ValueObject, children: PageNode[], place: BuildPlace): PageNode[] {
    if (name === 'script' || name === 'style') {
      warn(place.from, place.line, `<${name}> is left out: pages bring no ${name}s of their own.`)
      return []
    }
    const props: Record<string, PropValue> = Object.create(null)
    for (const attribute of Object.keys(given)) {
      // What it does is missing, and what it is on may look as if it worked.
      if (/^on[A-Z]/.test(attribute)) {
        warn(place.from, place.line, `“${attribute}” of <${name}> is left out: it needs JavaScript, which is not run.`)
        continue
      }
      try {
        const prop = propOf(given[attribute], budget)
        if (prop !== undefined) props[attribute] = prop
      } catch {
        warn(place.from, place.line, `“${attribute}” of <${name}> is left out: it needs JavaScript, which is not run.`)
      }
    }
    const { from, line, isInline } = place
    if (name === 'iframe') return embed(props, place)
    // `children` may come as an attribute, by `{...props}`.
    const inside = props.children
    if (inside !== undefined) {
      delete props.children
      if (children.length === 0)
        return [{ type: 'component', name, props, children: nodesOfProp(inside), isInline, from, line }]
    }
    return [{ type: 'component', name, props, children, isInline, from, line }]
  }

  /** Another site inside the page would know its readers: a card that leads there. */
  function embed({ src, title }: Record<string, PropValue>, { from, line }: BuildPlace): PageNode[] {
    if (typeof src !== 'string' || src.trim() === '') return []
    const href = src.replace(/^(https:\/\/(?:www\.)?youtube\.com)\/embed\/([\w-]+)(?:\?.*)?$/, '$1/watch?v=$2')
    const host = URL.canParse(src) ? new URL(src).host : src
    const label = typeof title === 'string' && title.trim() !== '' ? title : `Open ${host}`
    const children: PageNode[] = [{ type: 'paragraph', children: [{ type: 'text', value: host }] }]
    const props = { title: label, href, icon: 'arrow-up-right-from-square' }
    return [{ type: 'component', name: 'Card', props, children, isInline: false, from, line }]
  }

  /** Throws nothing: what cannot be worked out is a note in its place. */
  function fromJsx(node: JsxElement | JsxFragment, place: BuildPlace): PageNode[] {
    if (place.depth > mostDepth) return note(place, 'This part is not shown: it nests too deeply.')
    const inner = { ...place, depth: place.depth + 1 }
    if (node.type === 'JSXFragment') return jsxChildren(node.children, inner)
    const name = nameOfJsx(node.openingElement.name)
    const context = evaluation(inner)
    const attributes = node.openingElement.attributes.map((attribute): GivenAttribute => {
      if (attribute.type === 'JSXSpreadAttribute') {
        return { spread: () => evaluate(attribute.argument, place.scope, context) }
      }
      const { value } = attribute
      const attributeName = nameOfJsx(attribute.name)
      if (value === null) return { name: attributeName, value: () => true }
      if (value.type === 'JSXExpressionContainer') {
        const { expression } = value
        if (expression.type === 'JSXEmptyExpression') return { name: attributeName, value: () => undefined }
        return { name: attributeName, value: () => evaluate(expression as ExpressionNode, place.scope, context) }
      }
      return { name: attributeName, value: () => evaluate(value, place.scope, context) }
    })
    const isInline = place.isInline || isPhrasing(name)
    const children = () => jsxChildren(node.children, { ...inner, isInline })
    if (name === 'Fragment' || name === 'React.Fragment') return children()
    return build({ name, attributes, children, place: { ...place, isInline } })
  }

  function jsxChildren(children: JsxChild[], place: BuildPlace): PageNode[] {
    return children.flatMap((child): PageNode[] => {
      switch (child.type) {
        case 'JSXText': {
          const value = trimJsxText(child.value)
          return value !== '' && budget.takeNode(value.length) ? [{ type: 'text', value }] : []
        }
        case 'JSXElement':
        case 'JSXFragment':
          return fromJsx(child, place)
        case 'JSXExpressionContainer': {
          const { expression } = child
          if (expression.type === 'JSXEmptyExpression') return []
          try {
            return nodesOf(evaluate(expression as ExpressionNode, place.scope, evaluation(place)), budget)
          } catch (error) {
            return notEvaluated(error, { place })
          }
        }
        default:
          return []
      }
    })
  }

  function notEvaluated(error: unknown, { code, place }: { code?: string; place: BuildPlace }): PageNode[] {
    // The reader is told of the limit once, at the end of the page.
    if (budget.exceeded !== null) return []
    const what = code === undefined ? 'A part of this page' : shorten(code)
    const message = `${what} is not shown: ${reasonOf(error)}.`
    warn(place.from, place.line, message)
    const { isInline, from, line } = place
    return [createNote({ message, isInline, from, line, ...(code === undefined ? {} : { code: shorten(code) }) })]
  }

  function note(place: BuildPlace, message: string): PageNode[] {
    warn(place.from, place.line, message)
    return [createNote({ message, isInline: place.isInline, from: place.from, line: place.line })]
  }
}

function nodesOfProp(prop: PropValue): PageNode[] {
  if (typeof prop === 'string') return [{ type: 'text', value: prop }]
  if (typeof prop === 'number') return [{ type: 'text', value: String(prop) }]
  if (Array.isArray(prop)) return prop.flatMap(nodesOfProp)
  return typeof prop === 'object' && prop !== null && prop.type === 'nodes' ? (prop.children as PageNode[]) : []
}

function reasonOf(error: unknown): string {
  // Anything else is the stack, which an expression can fill.
  return error instanceof NotEvaluated ? error.message : 'it nests too deeply'
}

function shorten(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}
