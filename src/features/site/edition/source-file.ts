import type { PageSource } from '#features/content/service.ts'

/** The file that a page is written in. */
export function sourceFile(source: PageSource): string {
  return source.kind === 'file' ? source.path : source.spec
}
