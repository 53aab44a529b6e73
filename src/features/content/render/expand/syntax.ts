import * as acorn from 'acorn'
import jsx from 'acorn-jsx'

/** What acorn's own types leave out: elements. */
export interface JsxElement {
  type: 'JSXElement'
  start: number
  openingElement: { name: JsxName; attributes: (JsxAttribute | JsxSpread)[] }
  children: JsxChild[]
}
export interface JsxFragment {
  type: 'JSXFragment'
  start: number
  children: JsxChild[]
}
export interface JsxAttribute {
  type: 'JSXAttribute'
  name: JsxName
  value: acorn.Literal | JsxContainer | JsxElement | JsxFragment | null
}
export interface JsxSpread {
  type: 'JSXSpreadAttribute'
  argument: acorn.Expression
}
export interface JsxContainer {
  type: 'JSXExpressionContainer'
  expression: acorn.Expression | { type: 'JSXEmptyExpression' }
}
export interface JsxText {
  type: 'JSXText'
  value: string
}
export type JsxChild = JsxElement | JsxFragment | JsxContainer | JsxText | { type: 'JSXSpreadChild' }
export type JsxName =
  | { type: 'JSXIdentifier'; name: string }
  | { type: 'JSXMemberExpression'; object: JsxName; property: { name: string } }
  | { type: 'JSXNamespacedName'; namespace: { name: string }; name: { name: string } }

export type ExpressionNode = acorn.Expression | JsxElement | JsxFragment
export type FunctionNode = acorn.ArrowFunctionExpression | acorn.FunctionExpression | acorn.FunctionDeclaration

const Parser = acorn.Parser.extend(jsx())
const options: acorn.Options = { ecmaVersion: 'latest', sourceType: 'module' }

/** Null for what is no expression; a comment alone is an empty one. */
export function parseExpression(text: string): ExpressionNode | 'empty' | null {
  if (isEmpty(text)) return 'empty'
  try {
    return Parser.parseExpressionAt(`(${text}\n)`, 0, options) as ExpressionNode
  } catch {
    return null
  }
}

/** Null for what is no module. */
export function parseModule(text: string): acorn.Program | null {
  try {
    return Parser.parse(text, options)
  } catch {
    return null
  }
}

/** `...props` of an element. */
export function parseSpread(text: string): acorn.Expression | null {
  try {
    const object = Parser.parseExpressionAt(`({${text}\n})`, 0, options)
    const [property] = object.type === 'ObjectExpression' ? object.properties : []
    return property?.type === 'SpreadElement' ? property.argument : null
  } catch {
    return null
  }
}

export function isEmpty(text: string): boolean {
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) at++
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end === -1) return false
      at = end + 2
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else return false
  }
  return true
}

export function nameOfJsx(name: JsxName): string {
  if (name.type === 'JSXIdentifier') return name.name
  if (name.type === 'JSXNamespacedName') return `${name.namespace.name}:${name.name.name}`
  return `${nameOfJsx(name.object)}.${name.property.name}`
}
