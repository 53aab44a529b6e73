import type { PageNode } from '../component.ts'
import type { Scope } from './scope.ts'
import type { FunctionNode } from './syntax.ts'

/** What an expression of a page can be. Objects have no prototype: nothing can be reached through them but what is written. */
export type Value =
  | undefined
  | null
  | string
  | number
  | boolean
  | Value[]
  | ValueObject
  | ElementsValue
  | FunctionValue
  | SnippetValue

export interface ValueObject {
  [name: string]: Value
}

/** Elements as a value: `<b>x</b>`. */
export class ElementsValue {
  readonly children: PageNode[]
  /** The first place that they are put gets them, each further one a copy: no node stands in a page twice. */
  isUsed = false

  constructor(children: PageNode[]) {
    this.children = children
  }
}

/** A function as it is written. It is never called but as a component whose body is plain elements, or by `map`. */
export class FunctionValue {
  readonly node: FunctionNode
  readonly scope: Scope
  /** The file it is written in. */
  readonly from: string
  readonly line: number | null

  constructor(node: FunctionNode, scope: Scope, place: { from: string; line: number | null }) {
    this.node = node
    this.scope = scope
    this.from = place.from
    this.line = place.line
  }
}

/** A file whose content stands where the name is used as an element. */
export class SnippetValue {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** The expression needs something that is not done here. The message says what, for the author. */
export class NotEvaluated extends Error {}

export function isObject(value: Value): value is ValueObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ElementsValue) &&
    !(value instanceof FunctionValue) &&
    !(value instanceof SnippetValue)
  )
}

export function createObject(): ValueObject {
  return Object.create(null) as ValueObject
}
