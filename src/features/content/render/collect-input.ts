import { createHash } from 'node:crypto'
import type { FileTree } from '#infra/files/file-tree.ts'
import { findFrontmatter } from '../parse/frontmatter.ts'
import { findImport, isFileImport, readImportSources } from '../parse/import-path.ts'
import type { PageSource, SiteModel } from '../site/site-model.ts'
import { decodeText } from './decode-text.ts'
import { type RenderInput, rendererVersion } from './rendered-page.ts'

export interface CollectInput {
  page: PageSource
  model: Pick<SiteModel, 'settings' | 'findOperation'>
}

export interface CollectedInput extends RenderInput {
  /** What it is made from, as a hash: inputs with the same key give the same page. */
  key: string
}

// The largest pages of real sites have 700 kB.
const mostPageBytes = 2_000_000
// Of one page, with what its snippets import.
const mostSnippets = 200
const mostSnippetBytes = 2_000_000
const mostImports = 200
// What may be put into a page. Images and stylesheets are imported too, and are nothing here.
const readable = /\.(?:mdx?|jsx?|tsx?|json)$/i

/** Everything that it takes to show a page, read from the tree; nothing of it is parsed here. */
export async function collectRenderInput(tree: FileTree, { page, model }: CollectInput): Promise<CollectedInput> {
  const { settings } = model
  const path = page.kind === 'file' ? page.path : page.spec
  const isTooLarge = page.kind === 'file' && (tree.entries.get(page.path)?.size ?? 0) > mostPageBytes
  const source = page.kind === 'file' && !isTooLarge ? await readText(tree, page.path) : ''
  const snippets: RenderInput['snippets'] = {}
  const ids: string[] = []
  let bytes = 0

  const imports = resolveAll(tree, path, source)
  const waiting = targetsOf(imports)
  const seen = new Set([path])
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !readable.test(file)) continue
    seen.add(file)
    const entry = tree.entries.get(file)
    if (!entry || seen.size > mostSnippets || bytes + entry.size > mostSnippetBytes) continue
    bytes += entry.size
    const text = await readShared(tree, file)
    const inner = resolveAll(tree, file, text)
    snippets[file] = { source: text, imports: inner }
    ids.push(`${file} ${entry.id}`)
    waiting.push(...targetsOf(inner))
  }

  const found = page.kind === 'operation' ? page : findOperation(source, model)
  const operation = found && (await readOperation(tree, found))
  const { variables, icons } = settings
  const { exampleLanguages } = settings.api
  const hash = createHash('sha256')
  hash.update(
    JSON.stringify([
      rendererVersion,
      page.kind === 'file' ? (tree.entries.get(page.path)?.id ?? '') : '',
      path,
      imports,
      ids.sort(),
      source.includes('{{') || Object.values(snippets).some((one) => one.source.includes('{{')) ? variables : {},
      icons,
      operation && [operation.spec.id, operation.method, operation.path],
      operation || /^api[ \t]*:/m.test(source) ? exampleLanguages : [],
    ]),
  )
  const key = hash.digest('base64url')
  const large = isTooLarge ? { isTooLarge } : {}
  return { path, source, ...large, imports, snippets, variables, icons, operation, exampleLanguages, key }
}

/** A snippet or a specification belongs to many pages: one text for all of them, for as long as the tree is in use. */
const sharedTexts = new WeakMap<FileTree, Map<string, Promise<string>>>()

function readShared(tree: FileTree, path: string): Promise<string> {
  const texts = sharedTexts.get(tree) ?? new Map<string, Promise<string>>()
  sharedTexts.set(tree, texts)
  const text = texts.get(path) ?? readText(tree, path)
  texts.set(path, text)
  return text
}

async function readText(tree: FileTree, path: string): Promise<string> {
  const bytes = await tree.read(path).catch(() => null)
  return bytes === null ? '' : decodeText(bytes)
}

function targetsOf(imports: Record<string, string | null>): string[] {
  return Object.values(imports).filter((target) => target !== null)
}

const snippetElement = /<Snippet\b[^<>]{0,300}?\bfile=\{?["']([^"'\n]{1,300})["']/g

function resolveAll(tree: FileTree, from: string, source: string): Record<string, string | null> {
  const imports: Record<string, string | null> = Object.create(null)
  const add = (written: string, via: 'statement' | 'element') => {
    if (via === 'element' || isFileImport({ source: written })) {
      imports[written] = findImport(tree, from, { source: written, via })
    }
  }
  let count = 0
  for (const written of readImportSources(source)) {
    if (++count > mostImports) break
    add(written, 'statement')
  }
  for (const match of source.matchAll(snippetElement)) {
    if (++count > mostImports) break
    add(match[1]!, 'element')
  }
  return imports
}

/** `openapi: GET /x`, as far as one line says it. */
function findOperation(
  source: string,
  model: CollectInput['model'],
): { spec: string; method: string; path: string } | null {
  const span = findFrontmatter(source)
  if (span === null || 'unclosed' in span) return null
  const line = /^(openapi|asyncapi|openapi-schema)[ \t]*:[ \t]*([^\r\n]{1,2000})/m.exec(
    source.slice(span.start, span.end),
  )
  const written = line?.[2]?.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (!written) return null
  // `OrderItem`, or `spec.json OrderItem`.
  const reference = line?.[1] === 'openapi-schema' ? written.replace(/(\S+)$/, 'schema $1') : written
  return model.findOperation(reference)
}

async function readOperation(
  tree: FileTree,
  { spec, method, path }: { spec: string; method: string; path: string },
): Promise<RenderInput['operation']> {
  const entry = tree.entries.get(spec)
  if (!entry) return null
  return { spec: { id: entry.id, path: spec, text: await readShared(tree, spec) }, method, path }
}
