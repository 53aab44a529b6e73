import type { RenderInput } from '#features/content/service.ts'

/** A page on its own: nothing is imported, no variables, no specification. */
export function renderInput(source: string, more: Partial<RenderInput> = {}): RenderInput {
  return {
    path: 'page.mdx',
    source,
    imports: {},
    snippets: {},
    variables: {},
    icons: 'lucide',
    operation: null,
    exampleLanguages: [],
    ...more,
  }
}
