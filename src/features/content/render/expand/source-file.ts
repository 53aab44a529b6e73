import type { Program } from 'acorn'
import type { Root, RootContent } from 'mdast'
import type { PageProblem } from '../../check/problem.ts'
import { type Frontmatter, parseFrontmatter } from '../../parse/frontmatter.ts'
import { nestsTooDeeply, parseTree } from '../../parse/markdown-tree.ts'
import { explainMdxError } from '../../parse/mdx-error.ts'
import { mayHaveAdmonitions } from './admonition.ts'
import { parseModule } from './syntax.ts'

/** A page or snippet as it is written. */
export interface SourceFile {
  path: string
  source: string
  isMdx: boolean
  frontmatter: Frontmatter | null
  /** What is wrong with the frontmatter. */
  problems: PageProblem[]
  children: RootContent[]
  modules: ModuleCode[]
  /** Addresses by the label that links name them with. */
  definitions: Map<string, { url: string; title: string | null }>
  /** Why there are no children. */
  failure: PageProblem | null
}

export interface ModuleCode {
  /** Null: it is no JavaScript. */
  program: Program | null
  line: number
}

// The largest pages of real sites have 700 kB.
const mostCharacters = 2_000_000
const scriptFile = /\.[jt]sx?$/i

/** Never throws for what the source holds. */
export function readSourceFile(
  { path, source, isTooLarge = false }: { path: string; source: string; isTooLarge?: boolean },
  variables: Record<string, string>,
): SourceFile {
  const text = fillVariables(source.charCodeAt(0) === 0xfeff ? source.slice(1) : source, variables)
  const isScript = scriptFile.test(path)
  const file: SourceFile = {
    path,
    source: text,
    isMdx: !/\.md$/i.test(path),
    frontmatter: null,
    problems: [],
    children: [],
    modules: [],
    definitions: new Map(),
    failure: null,
  }
  if (isTooLarge || text.length > mostCharacters)
    return { ...file, failure: failure('This page is too large to be shown.') }
  if (isScript) return { ...file, modules: [{ program: parseModule(text), line: 1 }] }
  const { frontmatter, problems } = parseFrontmatter(text)
  file.frontmatter = frontmatter
  file.problems = problems
  if (nestsTooDeeply(text)) return { ...file, failure: failure('This page nests too deeply to be shown.') }
  try {
    file.children = parseWithMath(text, file.isMdx).children
  } catch (error) {
    return { ...file, failure: explainMdxError(error) }
  }
  // A stack of our own: a page may nest as deep as its author likes.
  const open: RootContent[] = [...file.children]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'definition') {
      const key = node.identifier.toLowerCase()
      // Of two with one label the first counts; the last one is found first here.
      file.definitions.set(key, { url: node.url, title: node.title ?? null })
    } else if (node.type === 'mdxjsEsm') {
      file.modules.unshift({ program: parseModule(node.value), line: node.position?.start.line ?? 1 })
    } else if ('children' in node) for (const child of node.children) open.push(child as RootContent)
  }
  return file
}

function failure(message: string): PageProblem {
  return { rule: 'mdx', line: 1, column: 1, message, hint: null, subject: 'limit' }
}

/**
 * `$…$` is a formula on pages that have formulas, and two prices on all others. Pages whose braces are no JavaScript get
 * the benefit of the doubt: formulas are full of them.
 */
function parseWithMath(text: string, isMdx: boolean): Root {
  const directive = mayHaveAdmonitions(text)
  const withoutMath = () => parseTree(text, { isMdx, math: false, directive }) as Root
  if (!mayHaveMath.test(text)) return withoutMath()
  let tree: Root
  try {
    tree = parseTree(text, { isMdx, math: true, directive }) as Root
  } catch {
    return withoutMath()
  }
  if (allFormulasLookReal(tree)) return tree
  try {
    return withoutMath()
  } catch {
    return tree
  }
}

const mayHaveMath = /\$\$|\$[^\s$]/

function allFormulasLookReal(tree: Root): boolean {
  const open: RootContent[] = [...tree.children]
  for (let node = open.pop(); node; node = open.pop()) {
    const { type } = node as { type: string }
    if (type === 'inlineMath' && !looksLikeFormula((node as unknown as { value: string }).value)) return false
    if ('children' in node) for (const child of node.children) open.push(child as RootContent)
  }
  return true
}

function looksLikeFormula(text: string): boolean {
  if (/^\s|\s$/.test(text) || text === '') return false
  // Not two prices, nor two variables of a shell: words with nothing of a formula in between.
  if (/[\\^_=]/.test(text)) return !/^[A-Z_]{3,}\b/.test(text)
  return text.length <= 12 && !/[A-Za-z]{3,}/.test(text) && !/^\d[\d.,]*\s/.test(text)
}

/** `{{name}}`, for names that docs.json has; before anything is parsed, as they may stand in code and in addresses too. */
function fillVariables(source: string, variables: Record<string, string>): string {
  if (!source.includes('{{')) return source
  return source.replace(/\{\{\s*([\w.-]{1,100})\s*\}\}/g, (whole, name: string) =>
    // Lines must stay where they are.
    Object.hasOwn(variables, name) ? variables[name]!.replace(/\s+/g, ' ') : whole,
  )
}
