import type * as acorn from 'acorn'
import { type Binding, createScope, type Scope } from './scope.ts'
import type { ExpressionNode } from './syntax.ts'
import { createObject, type FunctionValue, isObject, NotEvaluated, type Value } from './value.ts'

type Visit = (node: ExpressionNode, scope: Scope) => Value

/** The names that a function's parameters give to what it gets. */
export function bindParameters({ node, scope }: FunctionValue, given: Value[], visit: Visit): Scope {
  if (node.async || node.generator) throw new NotEvaluated('it needs JavaScript, which is not run')
  const bindings = new Map<string, Binding>()
  const inner = createScope(scope, bindings)
  for (const [index, parameter] of node.params.entries()) bind(parameter, given[index])
  return inner

  function bind(pattern: acorn.Pattern, value: Value): void {
    switch (pattern.type) {
      case 'Identifier':
        bindings.set(pattern.name, { value })
        break
      case 'AssignmentPattern':
        bind(pattern.left, value === undefined ? visit(pattern.right, inner) : value)
        break
      case 'ObjectPattern':
        bindFields(pattern, value)
        break
      case 'ArrayPattern':
        if (!Array.isArray(value)) throw new NotEvaluated('its parameters are taken from a list')
        for (const [index, element] of pattern.elements.entries()) if (element) bind(element, value[index])
        break
      default:
        throw new NotEvaluated('its parameters are more than names')
    }
  }

  function bindFields({ properties }: acorn.ObjectPattern, value: Value): void {
    const source = value === undefined ? createObject() : value
    if (!isObject(source)) throw new NotEvaluated('its parameters are the fields of an object')
    const rest = { ...source }
    Object.setPrototypeOf(rest, null)
    for (const property of properties) {
      if (property.type === 'RestElement') {
        bind(property.argument, rest)
        continue
      }
      const { key, computed } = property
      if (computed || (key.type !== 'Identifier' && key.type !== 'Literal')) {
        throw new NotEvaluated('its parameters are more than names')
      }
      const name = key.type === 'Identifier' ? key.name : String(key.value)
      delete rest[name]
      bind(property.value, Object.hasOwn(source, name) ? source[name] : undefined)
    }
  }
}

/** What a function gives back, if it only names values and returns one. */
export function runBody({ node }: FunctionValue, scope: Scope, visit: Visit): Value {
  if (node.body.type !== 'BlockStatement') return visit(node.body, scope)
  return runStatements(node.body.body, scope)?.value

  function runStatements(statements: acorn.Statement[], outer: Scope): { value: Value } | null {
    const bindings = new Map<string, Binding>()
    const inner = createScope(outer, bindings)
    for (const statement of statements) {
      const result = runStatement(statement, inner, bindings)
      if (result) return result
    }
    return null
  }

  function runStatement(
    statement: acorn.Statement,
    inner: Scope,
    bindings: Map<string, Binding>,
  ): { value: Value } | null {
    switch (statement.type) {
      case 'EmptyStatement':
        return null
      case 'ReturnStatement':
        return { value: statement.argument ? visit(statement.argument, inner) : undefined }
      case 'BlockStatement':
        return runStatements(statement.body, inner)
      case 'IfStatement': {
        const branch = visit(statement.test, inner) ? statement.consequent : statement.alternate
        return branch ? runStatements([branch], inner) : null
      }
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          if (id.type !== 'Identifier' || statement.kind !== 'const') {
            throw new NotEvaluated('it needs JavaScript, which is not run')
          }
          bindings.set(id.name, { value: init ? visit(init, inner) : undefined })
        }
        return null
      default:
        throw new NotEvaluated('it needs JavaScript, which is not run')
    }
  }
}
