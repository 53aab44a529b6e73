import type * as acorn from 'acorn'
import { bindParameters, runBody } from './call-function.ts'
import { calculate, ownField, textOf } from './operations.ts'
import type { Scope } from './scope.ts'
import type { ExpressionNode, JsxElement, JsxFragment } from './syntax.ts'
import { createObject, type ElementsValue, FunctionValue, isObject, NotEvaluated, type Value } from './value.ts'

/** What evaluating needs of the page around it. */
export interface Evaluation {
  /** The file that the expression is written in, and the line there. */
  from: string
  line: number | null
  /** Counts work done and characters made; throws `NotEvaluated` when it is more than a page may cost. */
  spend(amount: number): void
  elements(node: JsxElement | JsxFragment, scope: Scope): ElementsValue
}

// Far above what people write, far below what the stack holds.
const mostDepth = 100

/**
 * Works out an expression: data and elements, as they are written. Nothing is called but `map` over a list, nothing is
 * reachable but own fields of what the page itself writes. Throws `NotEvaluated` for everything else.
 */
export function evaluate(root: ExpressionNode, scope: Scope, context: Evaluation): Value {
  let depth = 0
  return visit(root, scope)

  function visit(node: ExpressionNode, names: Scope): Value {
    if (++depth > mostDepth) throw new NotEvaluated('it nests too deeply')
    context.spend(1)
    const value = evaluateNode(node, names)
    depth--
    return value
  }

  function evaluateNode(node: ExpressionNode, names: Scope): Value {
    switch (node.type) {
      case 'Literal':
        return literal(node)
      case 'TemplateLiteral':
        return template(node, names)
      case 'Identifier':
        return node.name === 'undefined' ? undefined : names.get(node.name)
      case 'ArrayExpression':
        return node.elements.flatMap((element): Value[] => {
          if (element === null) return [undefined]
          if (element.type === 'SpreadElement') return list(visit(element.argument, names), 'spread')
          return [visit(element, names)]
        })
      case 'ObjectExpression':
        return object(node, names)
      case 'ChainExpression':
        return visit(node.expression, names)
      case 'ParenthesizedExpression':
        return visit(node.expression, names)
      case 'MemberExpression':
        return member(node, names)
      case 'ConditionalExpression':
        return visit(visit(node.test, names) ? node.consequent : node.alternate, names)
      case 'LogicalExpression':
        return logical(node, names)
      case 'BinaryExpression':
        return binary(node, names)
      case 'UnaryExpression':
        return unary(node, names)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return new FunctionValue(node, names, context)
      case 'CallExpression':
        return mapCall(node, names)
      case 'JSXElement':
      case 'JSXFragment':
        return context.elements(node, names)
      default:
        throw new NotEvaluated('it needs JavaScript, which is not run')
    }
  }

  function template(node: acorn.TemplateLiteral, names: Scope): string {
    let text = ''
    for (const [index, { value }] of node.quasis.entries()) {
      text += value.cooked ?? ''
      const part = node.expressions[index]
      if (part) text += textOf(visit(part, names))
    }
    context.spend(text.length)
    return text
  }

  function object(node: acorn.ObjectExpression, names: Scope): Value {
    const result = createObject()
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = visit(property.argument, names)
        if (spread === null || spread === undefined) continue
        if (!isObject(spread)) throw new NotEvaluated('only an object can be spread here')
        context.spend(Object.keys(spread).length)
        for (const name of Object.keys(spread)) result[name] = spread[name]
        continue
      }
      if (property.kind !== 'init' || property.method) throw new NotEvaluated('it has methods')
      const name = keyOf(property, names)
      const value = visit(property.value, names)
      if (name !== '__proto__') result[name] = value
    }
    return result
  }

  function keyOf({ key, computed }: acorn.Property, names: Scope): string {
    if (computed) return textOf(visit(key, names))
    if (key.type === 'Identifier') return key.name
    if (key.type === 'Literal') return String(key.value)
    throw new NotEvaluated('it has a name that is no text')
  }

  function member(node: acorn.MemberExpression, names: Scope): Value {
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') {
      throw new NotEvaluated('it needs JavaScript, which is not run')
    }
    const owner = visit(node.object, names)
    const key = node.computed ? visit(node.property, names) : (node.property as acorn.Identifier).name
    if (typeof key !== 'string' && typeof key !== 'number') throw new NotEvaluated('it has a name that is no text')
    return ownField(owner, key, node.optional)
  }

  function logical({ operator, left, right }: acorn.LogicalExpression, names: Scope): Value {
    const first = visit(left, names)
    if (operator === '&&') return first ? visit(right, names) : first
    if (operator === '||') return first ? first : visit(right, names)
    return first ?? visit(right, names)
  }

  function binary({ operator, left, right }: acorn.BinaryExpression, names: Scope): Value {
    if (left.type === 'PrivateIdentifier') throw new NotEvaluated('it needs JavaScript, which is not run')
    const result = calculate(operator, visit(left, names), visit(right, names))
    if (typeof result === 'string') context.spend(result.length)
    return result
  }

  function unary({ operator, argument }: acorn.UnaryExpression, names: Scope): Value {
    const value = visit(argument, names)
    if (operator === '!') return !value
    if (operator === '-' && typeof value === 'number') return -value
    if (operator === '+' && typeof value === 'number') return value
    throw new NotEvaluated(`“${operator}” is not worked out here`)
  }

  /** `list.map(item => …)`: the one call there is, as it only repeats what is written. */
  function mapCall(node: acorn.CallExpression, names: Scope): Value {
    const { callee, arguments: given } = node
    const isMap =
      callee.type === 'MemberExpression' &&
      !callee.computed &&
      callee.property.type === 'Identifier' &&
      callee.property.name === 'map' &&
      callee.object.type !== 'Super'
    if (!isMap || given.length !== 1 || given[0]!.type === 'SpreadElement') {
      throw new NotEvaluated('functions are not called here')
    }
    const owner = visit(callee.object as acorn.Expression, names)
    if ((owner === undefined || owner === null) && callee.optional) return undefined
    const items = list(owner, 'map')
    const work = visit(given[0] as acorn.Expression, names)
    if (!(work instanceof FunctionValue)) throw new NotEvaluated('map needs a function that is written in its place')
    return items.map((item, index) => {
      context.spend(1)
      const inner = bindParameters(work, [item, index], visit)
      return runBody(work, inner, visit)
    })
  }

  function list(value: Value, what: string): Value[] {
    if (!Array.isArray(value)) throw new NotEvaluated(`${what} needs a list`)
    context.spend(value.length)
    return value
  }
}

function literal({ value, regex, bigint }: acorn.Literal): Value {
  if (regex || bigint || (typeof value === 'object' && value !== null)) {
    throw new NotEvaluated('it needs JavaScript, which is not run')
  }
  return value as string | number | boolean | null
}
