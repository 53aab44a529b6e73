import { ElementsValue, FunctionValue, isObject, NotEvaluated, SnippetValue, type Value } from './value.ts'

/** A field that the value itself has; nothing is inherited, so there is no way to functions or to prototypes. */
export function ownField(owner: Value, key: string | number, isOptional: boolean): Value {
  if (owner === undefined || owner === null) {
    if (isOptional) return undefined
    throw new NotEvaluated(`“${key}” is asked of nothing`)
  }
  if (Array.isArray(owner) || typeof owner === 'string') {
    if (key === 'length') return owner.length
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : null
    if (index !== null) return owner[index]
    throw new NotEvaluated(`“${key}” is a function, and functions are not called here`)
  }
  if (isObject(owner)) return Object.hasOwn(owner, key) ? owner[key] : undefined
  throw new NotEvaluated(`“${key}” is not reachable here`)
}

export function calculate(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '===':
    case '==':
      return isSame(left, right, operator === '==')
    case '!==':
    case '!=':
      return !isSame(left, right, operator === '!=')
  }
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return textOf(left) + textOf(right)
  if (typeof left === 'string' && typeof right === 'string') {
    if (operator === '<') return left < right
    if (operator === '>') return left > right
  }
  if (typeof left !== 'number' || typeof right !== 'number') {
    throw new NotEvaluated(`“${operator}” is worked out for numbers only`)
  }
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '%':
      return left % right
    case '<':
      return left < right
    case '>':
      return left > right
    case '<=':
      return left <= right
    case '>=':
      return left >= right
    default:
      throw new NotEvaluated(`“${operator}” is not worked out here`)
  }
}

function isSame(left: Value, right: Value, isLoose: boolean): boolean {
  if (isLoose && (left === null || left === undefined)) return right === null || right === undefined
  return left === right
}

/** A value inside a text. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value)
  }
  if (value instanceof SnippetValue || value instanceof FunctionValue || value instanceof ElementsValue) {
    throw new NotEvaluated('elements are no part of a text')
  }
  throw new NotEvaluated('a list or an object is no part of a text')
}
