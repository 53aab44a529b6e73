import { readPageFields } from '#features/content/render/page-fields.ts'
import { type PageFields, type PageSection, readSiteModel, type Template } from '#features/content/service.ts'
import type { Edition, EditionPage, SearchHit } from '#features/site/edition/edition.ts'
import { memoryTree } from './memory-tree.ts'

/**
 * An edition of a few files whose pages are plain text with links: what serving is tried on without a renderer. Model,
 * navigation and files are the real ones.
 */
export async function standInEdition(
  files: Record<string, string | Buffer>,
  { id = 'edition-1', updatedAt = null as Date | null } = {},
): Promise<Edition & { renders: number }> {
  const tree = memoryTree(files)
  const model = await readSiteModel(tree, { outline: async () => null })
  const pages = new Map<string, EditionPage>()
  const bodies = new Map<string, string>()
  for (const [route, source] of model.pages) {
    if (source.kind !== 'file') continue
    const { fields, body } = split(String(files[source.path]))
    const title = fields.title ?? route
    const sections: PageSection[] = [{ id: null, title, text: body }]
    const index = { fields, headings: [], sections, warnings: [] }
    pages.set(route, { route, source, key: source.path, index, title, navigationTitle: title })
    bodies.set(route, body)
  }

  const edition: Edition & { renders: number } = {
    renders: 0,
    id,
    projectId: 'prj_0000000000000000000000',
    model,
    pages,
    warnings: [],
    tree,
    async render(page) {
      edition.renders++
      await new Promise((resolve) => setImmediate(resolve))
      const from = page.source.kind === 'file' ? page.source.path : ''
      const body = bodies.get(page.route) ?? ''
      return {
        html: template(body, from, (text, hole) => ['<a href="', hole, `">${text}</a>`]),
        markdown: template(body, from, (text, hole) => [`[${text}](`, hole, ')']),
        needsMermaid: body.includes('mermaid'),
      }
    },
    search({ text, limit }): SearchHit[] {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean)
      const found = [...pages.values()].filter((page) => {
        const whole = `${page.title} ${bodies.get(page.route)}`.toLowerCase()
        return words.length > 0 && words.every((word) => whole.includes(word))
      })
      return found.slice(0, limit).map(({ route, title }) => ({
        route,
        anchor: null,
        title,
        heading: null,
        trail: [],
        excerpt: [{ text: bodies.get(route)!.slice(0, 50), isMatch: false }],
      }))
    },
    updatedAt: () => updatedAt,
    readAsset: async (path) => (/\.mdx?$|^docs\.json$/.test(path) ? null : await tree.read(path)),
    async close() {},
  }
  return edition
}

type Part = Template['parts'][number]

function template(body: string, from: string, link: (text: string, hole: Part) => Part[]): Template {
  const parts: Part[] = []
  let at = 0
  for (const found of body.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)) {
    parts.push(body.slice(at, found.index), ...link(found[1]!, { kind: 'link', url: found[2]!, from }))
    at = found.index + found[0].length
  }
  parts.push(body.slice(at))
  return { parts }
}

function split(source: string): { fields: PageFields; body: string } {
  const [, head = '', body = source] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? []
  const written = new Map(head.split('\n').map((line) => line.split(/: +/) as [string, string]))
  const isSet = (name: string) => written.get(name) === 'true'
  return {
    body,
    fields: {
      ...readPageFields({}),
      title: written.get('title') ?? null,
      description: written.get('description') ?? null,
      url: written.get('url') ?? null,
      canonical: written.get('canonical') ?? null,
      isHidden: isSet('hidden'),
      noIndex: isSet('noindex'),
    },
  }
}
