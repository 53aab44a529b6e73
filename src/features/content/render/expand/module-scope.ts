import type * as acorn from 'acorn'
import { type Binding, createScope, emptyScope, type Scope } from './scope.ts'
import type { SourceFile } from './source-file.ts'
import type { ExpressionNode, FunctionNode } from './syntax.ts'
import { createObject, FunctionValue, NotEvaluated, SnippetValue, type Value } from './value.ts'

export interface ModuleLinks {
  /** The file that an import of `from` leads to; null where there is none, undefined for what is no file at all. */
  resolve(from: string, written: string): string | null | undefined
  /** The names that another file gives away. */
  scopeOf(path: string): Scope
  /** The value of a data file. */
  readData(path: string): Value
  evaluate(node: ExpressionNode, scope: Scope, place: { from: string; line: number | null }): Value
  /** Whoever shows pages brings this component along, wherever it is imported from. */
  isComponent(name: string): boolean
  warn(place: { from: string; line: number | null }, message: string): void
}

const pageFile = /\.mdx?$/i
const dataFile = /\.json$/i

/** What a file's imports and exports name. Each is worked out when it is first used. */
export function createModuleScope({ path, modules }: SourceFile, links: ModuleLinks): Scope {
  const bindings = new Map<string, Binding>()
  const scope = createScope(emptyScope, bindings)
  for (const { program, line } of modules) {
    if (program === null) {
      links.warn({ from: path, line }, 'This code is no JavaScript that can be read, so what it names is missing.')
      continue
    }
    for (const statement of program.body) bindStatement(statement, { from: path, line })
  }
  return scope

  type Place = { from: string; line: number }

  function bindStatement(statement: acorn.Statement | acorn.ModuleDeclaration, place: Place): void {
    switch (statement.type) {
      case 'ImportDeclaration':
        bindImport(statement, place)
        break
      case 'ExportNamedDeclaration':
        if (statement.declaration) bindStatement(statement.declaration, place)
        else bindExports(statement, place)
        break
      case 'ExportDefaultDeclaration':
        bindDefault(statement.declaration, place)
        break
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          if (id.type !== 'Identifier') continue
          const evaluate = () => (init ? links.evaluate(init, scope, place) : undefined)
          bindings.set(id.name, { evaluate })
        }
        break
      case 'FunctionDeclaration':
        bindings.set(statement.id.name, { value: new FunctionValue(statement, scope, place) })
        break
      case 'ClassDeclaration':
        bindings.set(statement.id.name, fails('classes are not run'))
        break
    }
  }

  function bindDefault(declaration: acorn.ExportDefaultDeclaration['declaration'], place: Place): void {
    if (declaration.type === 'FunctionDeclaration') {
      const value = new FunctionValue(declaration as FunctionNode, scope, place)
      bindings.set('default', { value })
      if (declaration.id) bindings.set(declaration.id.name, { value })
    } else if (declaration.type !== 'ClassDeclaration') {
      bindings.set('default', { evaluate: () => links.evaluate(declaration as acorn.Expression, scope, place) })
    }
  }

  function bindImport({ source, specifiers }: acorn.ImportDeclaration, place: Place): void {
    const written = String(source.value)
    const target = links.resolve(path, written)
    if (target === null) links.warn(place, `Imports ${written}, which does not exist.`)
    for (const specifier of specifiers) {
      const { name } = specifier.local
      if (typeof target === 'string') {
        const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : null
        bindings.set(name, importedBinding(target, specifier.type === 'ImportNamespaceSpecifier' ? '*' : imported))
      } else if (target === null) bindings.set(name, fails(`${written} does not exist`))
      else if (!links.isComponent(name)) bindings.set(name, fails(`it comes from ${written}, whose code is not run`))
    }
  }

  function bindExports({ source, specifiers }: acorn.ExportNamedDeclaration, place: Place): void {
    if (!source) {
      for (const { local, exported } of specifiers) {
        const from = nameOf(local)
        const to = nameOf(exported)
        if (from !== to) bindings.set(to, { evaluate: () => scope.get(from) })
      }
      return
    }
    const target = links.resolve(path, String(source.value))
    if (target === null) links.warn(place, `Imports ${String(source.value)}, which does not exist.`)
    for (const { local, exported } of specifiers) {
      const binding = typeof target === 'string' ? importedBinding(target, nameOf(local)) : fails('it does not exist')
      bindings.set(nameOf(exported), binding)
    }
  }

  /** `name` null: the default export. */
  function importedBinding(target: string, name: string | null): Binding {
    if (name === '*') return fails('“import *” is not read')
    if (dataFile.test(target)) {
      if (name === null || name === 'default') return { evaluate: () => links.readData(target) }
      return fails(`${target} has no names`)
    }
    if (pageFile.test(target) && (name === null || name === 'default')) return { value: new SnippetValue(target) }
    return { evaluate: () => links.scopeOf(target).get(name ?? 'default') }
  }
}

function fails(reason: string): Binding {
  return {
    evaluate() {
      throw new NotEvaluated(reason)
    },
  }
}

function nameOf(node: acorn.Identifier | acorn.Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value)
}

/** JSON as a value of expressions. */
export function dataValue(data: unknown, spend: (amount: number) => void): Value {
  spend(1)
  if (Array.isArray(data)) return data.map((item) => dataValue(item, spend))
  if (typeof data !== 'object' || data === null) return data as Value
  const object = createObject()
  for (const [name, value] of Object.entries(data)) if (name !== '__proto__') object[name] = dataValue(value, spend)
  return object
}
