import type { DescribedOperation } from '../openapi/describe-operation.ts'
import { type Components, findAnchors } from './anchors.ts'
import type { PageNode } from './component.ts'
import { textOf } from './components/node-text.ts'
import { components as ownComponents } from './components/registry.ts'
import { type Limits, usualLimits } from './expand/budget.ts'
import { expandPage } from './expand/expand.ts'
import { createNote } from './expand/note.ts'
import type { SourceFile } from './expand/source-file.ts'
import { createHoles } from './holes.ts'
import { writeHtml } from './html-output.ts'
import { writeMarkdown } from './markdown-output.ts'
import { readPageFields } from './page-fields.ts'
import { readSections } from './page-sections.ts'
import { findWarnings } from './page-warnings.ts'
import type { PageFields, PageIndex, RenderedPage, RenderInput, RenderWarning } from './rendered-page.ts'
import { unnestLinks } from './unnest-links.ts'

/** What pages are shown with. */
export interface RenderParts {
  components: Components
  /** The operation that a page is about, as nodes; null when the specification has none such. */
  describe(operation: NonNullable<RenderInput['operation']>, languages: string[]): Promise<DescribedOperation | null>
  limits?: Limits
}

// Fields within fields are the same on many of a specification's pages, and who searches for one wants none of them.
const longestOfOperation = 8_000

interface PreparedPage {
  fields: PageFields
  nodes: PageNode[]
  warnings: RenderWarning[]
}

/** What a site knows of a page without showing it. Never throws for what the page holds. */
export async function indexPage(input: RenderInput, parts: RenderParts = usualParts): Promise<PageIndex> {
  const { fields, nodes, warnings } = await preparePage(input, parts)
  const anchors = findAnchors(nodes, parts.components, { headingsOnly: true })
  const longest = input.operation === null ? {} : { longestSection: longestOfOperation }
  return { fields, headings: anchors.headings, sections: readSections(nodes, anchors, longest), warnings }
}

/** HTML and Markdown of a page. Never throws for what the page holds. */
export async function renderPage(input: RenderInput, parts: RenderParts = usualParts): Promise<RenderedPage> {
  const { path, icons } = input
  const { components } = parts
  const mostNodes = 2 * (parts.limits ?? usualLimits).nodes
  const { nodes } = await preparePage(input, parts)
  const anchors = findAnchors(nodes, components)
  const inHtml = createHoles()
  const html = writeHtml(nodes, { path, holes: inHtml, anchors, components, icons, mostNodes })
  const inMarkdown = createHoles()
  const markdown = writeMarkdown(nodes, { path, holes: inMarkdown, components, mostNodes })
  return {
    html: inHtml.cut(html),
    markdown: inMarkdown.cut(markdown),
    // Authors cannot write attributes of this kind.
    needsMermaid: html.includes(' data-mermaid'),
  }
}

export const usualParts: RenderParts = {
  components: ownComponents,
  async describe({ spec, method, path }, exampleLanguages) {
    const { describeOperation } = await import('../openapi/describe-operation.ts')
    return describeOperation(spec, { method, path, exampleLanguages })
  },
}

async function preparePage(input: RenderInput, parts: RenderParts): Promise<PreparedPage> {
  const { components } = parts
  const expanded = expandPage(input, {
    isComponent: (name) => Object.hasOwn(components, name),
    ...(parts.limits ? { limits: parts.limits } : {}),
  })
  const { file, warnings } = expanded
  const fields = readPageFields(file.frontmatter?.data ?? {})
  let nodes = file.failure ? explainFailure(file, file.failure, warnings) : expanded.nodes
  if (input.operation) {
    const described = await describe(input.operation, input, parts, warnings)
    fields.title ??= described.title
    fields.description ??= described.description
    fields.isHidden ||= described.isHidden
    fields.isDeprecated ||= described.isDeprecated
    nodes.push(...described.nodes)
  } else if (fields.openapi !== null) {
    const message = `No specification of this site has ${fields.openapi}.`
    warnings.push({ path: input.path, line: null, message })
    nodes.push(createNote({ message, isInline: false, from: input.path, line: null }))
  } else if (fields.api !== null) {
    const { describeOwnPage } = await import('../openapi/describe-own-page.ts')
    const around = describeOwnPage(fields.api, nodes, input)
    if (around) nodes = [...around.before, ...nodes, ...around.after]
  }
  nodes = dropTitle(nodes, fields)
  unnestLinks(nodes)
  warnings.push(...findWarnings(nodes, { components, icons: input.icons }))
  return { fields, nodes, warnings }
}

async function describe(
  operation: NonNullable<RenderInput['operation']>,
  { path, exampleLanguages }: RenderInput,
  parts: RenderParts,
  warnings: RenderWarning[],
): Promise<DescribedOperation> {
  const name = `${operation.method} ${operation.path}`
  let message = `${operation.spec.path} has no operation ${name}.`
  try {
    const described = await parts.describe(operation, exampleLanguages)
    if (described) return described
  } catch {
    message = `${name} of ${operation.spec.path} could not be read.`
  }
  warnings.push({ path: path || operation.spec.path, line: null, message })
  const note = createNote({ message, isInline: false, from: path, line: null })
  return { nodes: [note], title: null, description: null, isHidden: false, isDeprecated: false }
}

/** In place of a page that does not parse: why, and the lines that it is about. */
function explainFailure(
  file: SourceFile,
  failure: NonNullable<SourceFile['failure']>,
  warnings: RenderWarning[],
): PageNode[] {
  const { line, message, hint } = failure
  const reason = hint ? `${message} ${hint}` : message
  warnings.push({ path: file.path, line, message: reason })
  const note = createNote({
    message: `This page could not be shown. ${file.path}, line ${line}: ${reason}`,
    isInline: false,
    from: file.path,
    line,
  })
  const first = Math.max(1, line - 3)
  const lines = file.source.split('\n', line + 3).slice(first - 1)
  const excerpt = lines.map((text, index) => `${first + index} | ${text.slice(0, 200)}`).join('\n')
  return excerpt.trim() === '' ? [note] : [note, { type: 'code', lang: 'text', value: excerpt }]
}

/** The title stands above the page already. A page without one has its first heading for it. */
function dropTitle(nodes: PageNode[], fields: PageFields): PageNode[] {
  const index = nodes.findIndex((node) => !(node.type === 'text' && node.value.trim() === ''))
  const first = nodes[index]
  const isTitle =
    (first?.type === 'heading' && first.depth === 1) || (first?.type === 'component' && first.name === 'h1')
  if (!isTitle) return nodes
  const words = textOf(first.children).replace(/\s+/g, ' ').trim()
  if (words === '') return nodes
  fields.title ??= words.slice(0, 2_000)
  return fields.title.toLowerCase() === words.toLowerCase() ? nodes.toSpliced(index, 1) : nodes
}
