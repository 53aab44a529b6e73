import type { PageNode, PropValue } from '../component.ts'
import type { Budget } from './budget.ts'
import { ElementsValue, isObject, NotEvaluated, type Value } from './value.ts'

/** What a value shows where it stands in a page: as React does, nothing for true, false and null. */
export function nodesOf(value: Value, budget: Budget): PageNode[] {
  if (value === undefined || value === null || typeof value === 'boolean') return []
  if (typeof value === 'string') return value === '' || !budget.takeNode(value.length) ? [] : [{ type: 'text', value }]
  if (typeof value === 'number') return budget.takeNode() ? [{ type: 'text', value: String(value) }] : []
  if (value instanceof ElementsValue) return useElements(value, budget)
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      budget.spend(1)
      return nodesOf(item, budget)
    })
  }
  throw new NotEvaluated(isObject(value) ? 'an object cannot be shown' : 'a function cannot be shown')
}

/** Null for what no component can be given: functions. */
export function propOf(value: Value, budget: Budget): PropValue | undefined {
  budget.spend(1)
  if (value === undefined) return undefined
  if (value instanceof ElementsValue) return { type: 'nodes', children: useElements(value, budget) }
  if (Array.isArray(value)) return value.map((item) => propOf(item, budget) ?? null)
  if (isObject(value)) {
    const result: { [name: string]: PropValue } = Object.create(null)
    for (const [name, field] of Object.entries(value)) {
      // Elements are told apart by this field, which nobody may imitate.
      if (name === 'type' && field === 'nodes') continue
      const prop = propOf(field, budget)
      if (prop !== undefined) result[name] = prop
    }
    return result
  }
  if (typeof value === 'object' && value !== null) throw new NotEvaluated('a function cannot be given')
  return value
}

function useElements(value: ElementsValue, budget: Budget): PageNode[] {
  if (!value.isUsed) {
    value.isUsed = true
    return value.children
  }
  return copyNodes(value.children, budget)
}

function copyNodes(nodes: PageNode[], budget: Budget): PageNode[] {
  const copies: PageNode[] = []
  for (const node of nodes) {
    const length = 'value' in node && typeof node.value === 'string' ? node.value.length : 0
    if (!budget.takeNode(length)) break
    const copy = { ...node } as PageNode
    if ('children' in copy) copy.children = copyNodes(copy.children as PageNode[], budget) as never
    if (copy.type === 'component') {
      const props: Record<string, PropValue> = Object.create(null)
      for (const [name, value] of Object.entries(copy.props)) props[name] = copyProp(value, budget)
      copy.props = props
    }
    copies.push(copy)
  }
  return copies
}

function copyProp(value: PropValue, budget: Budget): PropValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyProp(item, budget))
  if (value.type === 'nodes') {
    return { type: 'nodes', children: copyNodes(value.children as PageNode[], budget) }
  }
  return value
}
