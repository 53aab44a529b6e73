import { NotEvaluated, type Value } from './value.ts'

/** Names that an expression can use. Nothing else is reachable: there are no globals. */
export interface Scope {
  has(name: string): boolean
  /** Throws `NotEvaluated` for what is not there, or cannot be worked out. */
  get(name: string): Value
}

export type Binding = { value: Value } | { evaluate(): Value }

export const emptyScope: Scope = {
  has: () => false,
  get(name) {
    throw new NotEvaluated(`“${name}” is not known here`)
  },
}

export function createScope(parent: Scope, bindings: Map<string, Binding>): Scope {
  const busy = new Set<string>()
  return {
    has: (name) => bindings.has(name) || parent.has(name),
    get(name) {
      const binding = bindings.get(name)
      if (binding === undefined) return parent.get(name)
      if ('value' in binding) return binding.value
      if (busy.has(name)) throw new NotEvaluated(`“${name}” is made from itself`)
      busy.add(name)
      try {
        const value = binding.evaluate()
        bindings.set(name, { value })
        return value
      } finally {
        busy.delete(name)
      }
    },
  }
}
