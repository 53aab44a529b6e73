import type { PageFields, PageSource } from '#features/content/service.ts'

/** What a page is called: as it says itself, else by its operation or its file's name. Never empty. */
export function pageTitle(fields: PageFields, { source, route }: { source: PageSource; route: string }): string {
  if (fields.title) return fields.title
  if (source.kind === 'operation') return source.title || `${source.method} ${source.path}`
  const name = route.slice(route.lastIndexOf('/') + 1) || source.path.slice(source.path.lastIndexOf('/') + 1)
  const words = name
    .replace(/\.mdx?$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
}
