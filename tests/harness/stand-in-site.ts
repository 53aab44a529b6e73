import { readPageFields } from '#features/content/render/page-fields.ts'
import type { PageFields, PageHeading, SiteModel } from '#features/content/service.ts'
import { readSiteModel } from '#features/content/service.ts'
import type { Edition, EditionPage } from '#features/site/edition/edition.ts'
import type { ServedSite } from '#features/site/serve/served-site.ts'
import { memoryTree } from './memory-tree.ts'

export interface StandInSite {
  /** Of docs.json. */
  config: Record<string, unknown>
  /** Titles by route, or more of a page's fields. */
  pages: Record<string, string | Partial<PageFields>>
  headings?: PageHeading[]
  /** Other files of the repository. */
  files?: Record<string, string>
  site?: Partial<ServedSite>
}

const noFields = readPageFields({})

/** A site whose navigation and settings are read as those of any other, and whose pages were never rendered. */
export async function standInSite({
  config,
  pages,
  headings = [],
  files = {},
  site = {},
}: StandInSite): Promise<ServedSite> {
  const sources = Object.fromEntries(Object.keys(pages).map((route) => [`${route.slice(1) || 'index'}.mdx`, '']))
  const tree = memoryTree({ ...sources, ...files, 'docs.json': JSON.stringify(config) })
  const model = await readSiteModel(tree, { outline: async () => null })
  const edition = {
    id: 'c0ffee1234567890',
    projectId: 'prj_1',
    model,
    pages: editionPages(model, pages, headings),
    warnings: [],
    updatedAt: () => new Date('2026-03-01T00:00:00Z'),
    search: () => [],
    tree,
  } as unknown as Edition
  return {
    projectId: 'prj_1',
    name: 'Acme',
    edition,
    base: '',
    origin: 'https://docs.example.com',
    kind: 'live',
    editUrl: (path) => `https://git.example.com/acme/edit/${path}`,
    ...site,
  }
}

function editionPages(
  model: SiteModel,
  pages: StandInSite['pages'],
  headings: PageHeading[],
): Map<string, EditionPage> {
  const made = new Map<string, EditionPage>()
  for (const [route, source] of model.pages) {
    const given = pages[route]
    const fields = { ...noFields, ...(typeof given === 'string' ? { title: given } : given) }
    const title = fields.title ?? route
    made.set(route, {
      ...{ route, source, key: route, title, navigationTitle: fields.sidebarTitle ?? title },
      index: { fields, headings, sections: [], warnings: [] },
    })
  }
  return made
}
